import { optionsOf } from "./command-options.ts";
import { readOption } from "./read-arguments.ts";
import type { ShellWord } from "./shell-word.ts";

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
const setOf = (text: string): ReadonlySet<string> => new Set(words(text));

/** Shells whose scripts are read: bash and those of which it understands nearly all. */
export const SHELLS: ReadonlySet<string> = setOf("sh bash zsh dash ksh mksh ash rbash");

/** How a program runs the command that it is given. */
export interface Runner {
  /** So many operands stand before the command: the duration of `timeout`. */
  operands: number;
  /** The words that are left are joined to a script. */
  isScript: boolean;
  /** Words after the command come from the input as well. */
  hasInput: boolean;
}

/** By name, or by name and subcommands; a number counts the operands before the command. */
const RUNNERS: ReadonlyMap<string, Runner> = new Map(
  [
    "env cross-env sudo doas time gtime nohup setsid command builtin exec nice ionice chronic unbuffer caffeinate",
    "timeout=1 gtimeout=1 chrt=1 taskset=1 chroot=1 direnv+exec=1 faketime=1 flock=1 su=9 script=9 fish=9 nix-shell=9",
    "stdbuf xvfb-run strace ltrace busybox unshare ssh-agent dbus-run-session proxychains proxychains4 torsocks",
    "firejail eatmydata dotenv entr rlwrap screen setpriv runuser gosu=1 su-exec=1 systemd-run systemd-inhibit yarn+workspaces+foreach",
    "npx bunx pnpx npm+exec npm+x pnpm+exec pnpm+dlx yarn+exec yarn+dlx bundle+exec poetry+run pipenv+run pdm+run",
    "hatch+run rye+run uv+run uvx mise+exec mise+x doppler+run op+run dotenvx+run infisical+run corepack",
    "git+bisect+run k3s microk8s aws-vault+exec=1 volta+run conda+run fnm+exec asdf+exec rtx+exec",
    "xargs< parallel< watch! tmux+new! tmux+new-session! cross-env-shell! git+submodule+foreach! nix+develop=1",
  ]
    .flatMap(words)
    .map((text) => {
      const [, name = "", count, mark] = /^([^=<!]+)(?:=(\d))?([<!]?)$/.exec(text) ?? [];
      return [
        name.replaceAll("+", " "),
        { operands: Number(count ?? 0), isScript: mark === "!", hasInput: mark === "<" },
      ];
    }),
);

/** The longest name that is a runner, options between its words left aside, and where the words behind it begin. */
export function runnerOf(
  words: readonly ShellWord[],
): { label: string; runner: Runner; next: number } | undefined {
  const names: { text: string; next: number }[] = [];
  for (let i = 0; i < words.length && names.length < 3; i++) {
    const { text = "" } = words[i] ?? {};
    const word = words[i];
    if (i > 0 && word && /^-./.test(text))
      i += readOption(word, words[i + 1], optionsOf(names.map((name) => name.text).join(" "))).isNextTaken
        ? 1
        : 0;
    else names.push({ text, next: i + 1 });
  }
  for (let used = names.length; used > 0; used--) {
    const label = names
      .slice(0, used)
      .map(({ text }) => text)
      .join(" ");
    const runner = RUNNERS.get(label);
    if (runner) return { label, runner, next: names[used - 1]?.next ?? used };
  }
  return undefined;
}

/** Options of runners whose value is a whole script. */
export const SCRIPT_OPTIONS: ReadonlySet<string> = setOf("--split-string --call --command --run");
/** Options by which a runner runs nothing: `command -v`, `sudo -l`. */
export const INERT_OPTIONS: ReadonlySet<string> = setOf("--describe --list --validate --edit");
/** Options by which a program goes elsewhere first. */
export const FOLDER_OPTIONS: ReadonlySet<string> = setOf("--chdir --directory --cwd");

/** Programs that do nothing else with their words than show, compare, store or look for them. */
const INERT = setOf(
  `echo printf cat ls cd pwd test [ true false : type which whereis man tldr info help alias complete hash set unset
  export declare local readonly typeset read mapfile wc rev sort uniq cut tr tac nl fold column paste join comm diff cmp
  less more bat basename dirname realpath readlink stat file du df date sleep seq id whoami uname hostname env printenv
  jq yq xmllint cksum md5sum sha1sum sha256sum base64 xxd od hexdump strings ag ack fd fzf tree exa eza apt apt-get
  brew dnf yum pacman apk snap port cowsay figlet say notify-send logger pbcopy xclip history trap wait jobs fg bg exit
  return break continue shift getopts let pushd popd dirs umask ulimit times kill killall pkill pgrep ps top lsof open
  xdg-open code subl gh glab hub mdcat pandoc aspell codespell vale markdownlint shellcheck prettier eslint tsc biome
  ruff black mypy pyright rustfmt gofmt shfmt clear reset tput stty nproc free gzip gunzip zcat zip unzip cp mv ln rm
  mkdir rmdir touch chmod chown install rsync scp sftp split csplit dd sed gsed patch tee git eval source .`,
);
/** Programs of which heed knows the options, and that run text in other languages or on other machines all the same. */
const ELSEWHERE =
  /^(?:ssh|python\d*(?:\.\d+)?|node|perl|make|docker (?:compose )?(?:run|exec)|docker-compose (?:run|exec)|kubectl (?:exec|run)|podman (?:run|exec)|cargo run|gh alias|git filter-branch)$/;

/** Whether nobody here can tell what a program does with its words and its input: it may run them. */
export function mayRunWords(names: readonly string[]): boolean {
  const [name = ""] = names;
  if ([1, 2, 3].some((count) => ELSEWHERE.test(names.slice(0, count).join(" ")))) return true;
  return !INERT.has(name) && optionsOf(name) === undefined;
}
