/** Configuration beyond this many characters is left unread: a real one has a hundredth of it. */
const MAX_CONFIG_CHARS = 1024 * 1024;

/** A value spread over more lines than this is cut. */
const MAX_CONTINUATIONS = 100;

/**
 * The first URL of each remote in the text of a git configuration file. Includes and `insteadOf` are not followed:
 * they are the user's own and would make one repository look different on two machines. Never throws.
 */
export function readRemotes(text: string): Map<string, string> {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  const lines = text.slice(0, MAX_CONFIG_CHARS).split(/\r?\n/);
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i] ?? "";
    for (let joined = 0; joined < MAX_CONTINUATIONS && isContinued(lines[i] ?? ""); joined++) {
      line = line.slice(0, -1) + (lines[++i] ?? "");
    }
    const section = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section) {
      remote = remoteOf(section[1] ?? "", section[2]);
      line = line.slice(section[0].length);
    }
    const url = /^\s*url\s*=\s*(.*)$/i.exec(line);
    if (remote !== undefined && url && !remotes.has(remote)) remotes.set(remote, readValue(url[1] ?? ""));
  }
  return remotes;
}

/** Whether a line ends with a backslash that is not itself escaped. */
function isContinued(line: string): boolean {
  let count = 0;
  while (line.charAt(line.length - 1 - count) === "\\") count += 1;
  return count % 2 === 1;
}

/** The name of the remote that a section header opens: `[remote "x"]`, or `[remote.x]` of old. */
function remoteOf(section: string, name: string | undefined): string | undefined {
  const lower = section.toLowerCase();
  if (name !== undefined) return lower === "remote" ? name.replace(/\\(.)/g, "$1") : undefined;
  return lower.startsWith("remote.") ? lower.slice("remote.".length) : undefined;
}

/** A value without quotes, escapes and the comment after it. */
function readValue(text: string): string {
  let value = "";
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"') isQuoted = !isQuoted;
    else if (char === "\\") value += text.charAt(++i);
    else if (!isQuoted && (char === "#" || char === ";")) break;
    else value += char;
  }
  return value.trim();
}
