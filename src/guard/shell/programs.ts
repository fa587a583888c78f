import { readArguments } from "./read-arguments.ts";
import { type ShellWord, showWord } from "./shell-command.ts";

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
const setOf = (text: string): ReadonlySet<string> => new Set(words(text));

/** Shells whose scripts are read: bash and those of which it understands nearly all. */
export const SHELLS: ReadonlySet<string> = setOf("sh bash zsh dash ksh mksh ash rbash");

/** How a program runs the command that it is given. */
export interface Runner {
  /** How many operands precede the command, such as the duration of `timeout`. */
  operands: number;
  /** Letters of options that take the next word. */
  valued: RegExp;
  /** The words that are left are joined to a script. */
  isScript: boolean;
  /** Words after the command come from the input as well. */
  hasInput: boolean;
}

/** By name, or by name and subcommands. `=` counts the operands before the command; letters after `:` are options with a value. */
const RUNNERS: ReadonlyMap<string, Runner> = new Map(
  [
    "env:uCPS cross-env sudo:CDghpRrTtUu doas:Cu time:fo gtime:fo nohup setsid command builtin exec:a nice:n ionice:cnp",
    "timeout=1:ks gtimeout=1:ks chrt=1:TDP taskset=1 chroot=1 direnv+exec=1 faketime=1 flock=1:wE su=9:gGsw script=1:EIOBTmo",
    "fish=9:C nix-shell=9:pAI stdbuf:ioe xvfb-run:enpsf strace:abeEIoOpPsSuX ltrace:abeoplsSu busybox unshare:SGRw ssh-agent:at",
    "dbus-run-session proxychains:f proxychains4:f torsocks firejail eatmydata dotenv:efpc entr rlwrap screen:STtpc",
    "setpriv runuser:ugGsw gosu=1 su-exec=1 systemd-run:upEHM systemd-inhibit chronic unbuffer caffeinate:tw fakeroot:lib",
    "yarn+workspaces+foreach npx:pw bunx:p pnpx npm+exec:pw npm+x:pw pnpm+exec:FC pnpm+dlx:p yarn+exec yarn+dlx:p",
    "bundle+exec poetry+run pipenv+run pdm+run hatch+run rye+run uv+run:p uvx:p mise+exec:CjE mise+x:CjE doppler+run:pct",
    "op+run dotenvx+run:fe infisical+run corepack git+bisect+run k3s microk8s aws-vault+exec=1:drm volta+run conda+run:np",
    "fnm+exec asdf+exec rtx+exec xargs<:adEILnPRsJS parallel!<:jaSNCdIn watch!:n tmux+new!:ceFfnstxy tmux+new-session!:ceFfnstxy",
    "cross-env-shell! git+submodule+foreach! git+rebase=9 nix+develop=1:ku",
  ]
    .flatMap(words)
    .map((text) => {
      const [, name = "", mark = "", count, valued = ""] =
        /^([^=<!:]+)([<!]*)(?:=(\d))?(?::(\w+))?$/.exec(text) ?? [];
      const runner = {
        operands: Number(count ?? 0),
        valued: new RegExp(`[${valued}\n]`),
        isScript: mark.includes("!"),
        hasInput: mark.includes("<"),
      };
      return [name.replaceAll("+", " "), runner];
    }),
);

const FIRST_NAMES = new Set(Array.from(RUNNERS.keys(), (name) => name.split(" ", 1)[0]));

/** The longest name that is a runner, ignoring options between its words, and the index of the word after it. */
export function runnerOf(
  given: readonly ShellWord[],
): { label: string; runner: Runner; next: number } | undefined {
  if (!FIRST_NAMES.has(given[0]?.text)) return undefined;
  const names = [...given.slice(0, 1), ...readArguments(given).operands.slice(0, 2)].map(({ text }) => text);
  for (let count = names.length; count > 0; count--) {
    const label = names.slice(0, count).join(" ");
    const runner = RUNNERS.get(label);
    if (runner) return { label, runner, next: given.findIndex(({ text }) => text === names[count - 1]) + 1 };
  }
  return undefined;
}

type OptionRole = "inert" | "script" | "folder" | "input" | "delimiter" | "place" | "variables";

const ROLES: readonly (readonly [OptionRole, RegExp])[] = [
  ["inert", /^command -[vV]$|^(?:sudo|doas) (?:-[lveV]|--(?:list|validate|edit))$/],
  ["script", /^env -\w*S$|^git rebase -x$| --(?:split-string|call|command|run|exec)$| -\w*c$/],
  ["folder", /^(?:env|mise \w+|pnpm exec) -C$|^sudo -D$| --(?:chdir|directory|cwd|working-directory)$/],
  ["input", /^(?:xargs|parallel) (?:-\w*a|--arg-file)$/],
  ["delimiter", /^(?:xargs|parallel) (?:-\w*d|--delimiter)$/],
  ["place", /^(?:xargs|parallel) (?:-\w*[IJi]|-i\{\}|--replace)$/],
  // A file of them.
  ["variables", /^dotenvx?(?: run)? -[fec]$| --(?:env-file|envfile|dotenv)$/],
];

/** The role of an option, given behind the runner's name. */
export function optionRole(option: string): OptionRole | undefined {
  return ROLES.find(([, test]) => test.test(option))?.[0];
}

/**
 * What a program does with its words. `plain`, `removes`, `writes` and `formats`: it runs none of them; the others may run
 * some. Files: `removes`, `writes`, `formats` (what is below, too) and `edits` each that they name, `last` the last one,
 * `flagged` those behind a flag.
 */
type WordUse = "plain" | "reads" | "removes" | "writes" | "formats" | "edits" | "last" | "flagged";

const WORD_USES: ReadonlyMap<string, WordUse> = new Map(
  Object.entries({
    plain: `echo printf cd pwd test [ true false : type which whereis tldr info help alias set unset export declare
      local readonly typeset read sleep seq id whoami uname hostname printenv ag ack grep egrep fgrep rg fd apt
      apt-get apt-cache brew dnf yum pacman apk port cowsay figlet say notify-send logger wait jobs fg bg exit
      return break continue shift getopts let pushd popd dirs umask ulimit times kill killall pkill pgrep ps top clear
      reset tput stty nproc free history mkdir cat ls wc rev sort cut tr tac nl fold column paste join comm diff cmp
      more bat basename dirname realpath readlink stat file du df date xmllint cksum md5sum sha1sum sha256sum base64 od
      hexdump strings tree exa eza pbcopy xclip lsof mdcat vale shellcheck head tail zcat
      zgrep`,
    reads: `fzf snap heed git find env curl wget source . eval trap less man mypy pyright inotifywait psql mysql mariadb patch
      tar bsdtar unzip 7z zip dd`,
    removes: "rm rmdir unlink shred srm truncate trash rimraf rename gzip gunzip bzip2 xz",
    writes: "touch tee mv chmod chown chgrp chattr sponge dos2unix unix2dos setfacl mkfifo mktemp script",
    formats: "black isort rustfmt",
    edits: "ed ex vim vi nvim nano emacs",
    last: "cp ln install rsync scp sftp ditto uniq xxd rclone",
    flagged: `sed gsed perl ruby yq jq gofmt goimports prettier eslint stylelint ruff biome shfmt clang-format autopep8
      dprint awk gawk pandoc gpg codespell markdownlint`,
  }).flatMap(([use, names]) => words(names).map((name): [string, WordUse] => [name, use as WordUse])),
);

/** What a program does with its words; undefined if unknown. */
export function wordUse(program: string): WordUse | undefined {
  return WORD_USES.get(program);
}

/** Git's own subcommands that leave the files of the working tree alone. */
const GIT_KEEPS =
  setOf(`add annotate apply archive blame branch bugreport cat-file check-attr check-ignore cherry
  commit commit-tree config count-objects describe diff diff-tree difftool fetch for-each-ref format-patch fsck gc grep
  help log ls-files ls-remote ls-tree merge-base name-rev notes prune push range-diff reflog remote
  repack replace rev-list rev-parse send-pack shortlog show show-ref status symbolic-ref tag
  update-index update-ref var verify-commit version whatchanged`);
/** Those that change them only as a whole. */
const GIT_MOVES = setOf("am bisect cherry-pick merge pull rebase reset revert switch");
const GIT_WRITES = setOf(
  "checkout checkout-index clean clone init merge-file mv read-tree restore rm sparse-checkout stash submodule worktree",
);

/** What a subcommand of git does with files that it names; undefined for others, such as aliases. */
export function gitUse(subcommand: string): "keeps" | "moves" | "writes" | undefined {
  if (GIT_KEEPS.has(subcommand)) return "keeps";
  return GIT_MOVES.has(subcommand) ? "moves" : GIT_WRITES.has(subcommand) ? "writes" : undefined;
}

/** Programs that take text for people, and the options that precede it. */
const TAKES_PROSE = setOf("git gh glab hub curl npm docker podman kubectl");
const PROSE_OPTION =
  /^(?:-[a-zA-Z]*[mdHbtSG]|--(?:message|body|title|notes?|subject|description|grep|author|format|pretty|label|data[\w-]*|json|header|jq|(?:raw-)?field|comment|trailer))$/;

/** Scripts that only print what they are given, or some of it. */
const SELECTS =
  /^(?:g?sed (?:(?:\d+|\$|\/[^/]*\/I?),?){0,2}!?(?:[dpq=]|s([/|#,])(?:(?!\1).)*\1(?:(?!\1).)*\1[\dgIip]*)|g?awk (?!.*(?:system|getline))[^|>@\0]*)$/s;

/** The words that a program may run: without its subcommand, where it has some, and what only people read. */
export function runnableWords(program: string, args: readonly ShellWord[]): readonly ShellWord[] {
  if (wordUse(program) === "flagged" && !args.some(({ text }) => /^-\w*i|^--in/.test(text)))
    return args.filter(({ text }) => !SELECTS.test(`${program} ${text}`));
  if (!TAKES_PROSE.has(program)) return args;
  const isSub = program !== "curl";
  const at = args.findIndex(
    ({ text }, i) => isSub && !text.startsWith("-") && !/^-[a-zA-Z]$/.test(args[i - 1]?.text ?? ""),
  );
  const isQuery = program === "git" && args[at]?.text === "grep";
  return args.filter(({ text }, i) => {
    const isValue = i > at && PROSE_OPTION.test(args[i - 1]?.text ?? "");
    const isOwn = PROSE_OPTION.test(text.split("=")[0] ?? "") || /^-[mSG]./.test(text);
    return i !== at && !isValue && !isOwn && !(isQuery && !text.startsWith("-"));
  });
}

/** What only people read, among the words of a command: sentences of programs that run none, messages of others. */
export function proseWords([name, ...args]: readonly ShellWord[]): string[] {
  const { text: program = "" } = name ?? {};
  const isRead = wordUse(program) === "plain" || /^g?(?:sed|awk)$/.test(program);
  const run = isRead ? [] : runnableWords(program, args);
  return args.flatMap((word) => (run.includes(word) || !/\s/.test(word.text) ? [] : showWord(word)));
}
