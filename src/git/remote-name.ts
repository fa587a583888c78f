/** Longer URLs are no addresses of repositories. */
const MAX_URL_CHARS = 2048;

/** Hosts that serve the same repositories under another name (ssh over port 443, Azure's ssh host). */
const HOST_ALIASES: Readonly<Record<string, string>> = {
  "ssh.github.com": "github.com",
  "altssh.gitlab.com": "gitlab.com",
  "altssh.bitbucket.org": "bitbucket.org",
  "ssh.dev.azure.com": "dev.azure.com",
};

/** Hosts on which the case of a path does not matter. */
const CASELESS_HOSTS = new Set([
  "github.com",
  "gitlab.com",
  "bitbucket.org",
  "dev.azure.com",
  "codeberg.org",
]);

/**
 * The name of the repository that a remote URL points to: host and path without protocol, user, password, port and
 * `.git`, for example `github.com/acme/api` for `git@github.com:acme/api.git`. Undefined for local paths and for what
 * is no address.
 */
export function remoteName(url: string): string | undefined {
  const text = url.trim();
  if (text.length > MAX_URL_CHARS || /[\s\p{C}]/u.test(text)) return undefined;
  const match =
    /^(?:[a-z][a-z0-9+.-]*):\/\/(?:[^/@]*@)?(\[[^\]/]+\]|[^/:@]+)(?::\d*)?\/(.*)$/i.exec(text) ??
    // scp-like: one letter before the colon is a Windows drive, `//` after it another protocol.
    /^(?:[^/@:]+@)?(\[[^\]/]+\]|[^/:@]{2,}):(?!\/\/)(.+)$/.exec(text) ??
    // As a person writes it in a scope: host with a dot, then the path.
    /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)\/(.+)$/i.exec(text);
  if (!match || /^file:/i.test(text)) return undefined;
  const lower = (match[1] ?? "").toLowerCase();
  const host = HOST_ALIASES[lower] ?? lower;
  const path = cleanPath(match[2] ?? "", host);
  if (path === "") return undefined;
  return `${host}/${CASELESS_HOSTS.has(host) ? path.toLowerCase() : path}`;
}

function cleanPath(path: string, host: string): string {
  const parts = path
    .replace(/[?#].*$/, "")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  const named =
    host === "dev.azure.com"
      ? parts.filter((part, i) => part !== "_git" && !(i === 0 && part === "v3"))
      : parts;
  return named.join("/").replace(/\.git$/i, "");
}
