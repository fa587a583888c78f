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
  /** Letters of options that take the next word. */
  valued: string;
  /** The words that are left are joined to a script. */
  isScript: boolean;
  /** Words after the command come from the input as well. */
  hasInput: boolean;
}

/** By name, or by name and subcommands; `=` counts the operands before the command, letters after `:` are of valued options. */
const RUNNERS: ReadonlyMap<string, Runner> = new Map(
  [
    "env:uCP cross-env sudo:CDghpRrTtUu doas:Cu time:fo gtime:fo nohup setsid command builtin exec:a nice:n ionice:cnp",
    "timeout=1:ks gtimeout=1:ks chrt=1:TDP taskset=1 chroot=1 direnv+exec=1 faketime=1 flock=1:wE su=9:gGsw script=9:EIOBTmo",
    "fish=9:C nix-shell=9:pAI stdbuf:ioe xvfb-run:enpsf strace:abeEIoOpPsSuX ltrace:abeoplsSu busybox unshare:SGRw ssh-agent:at",
    "dbus-run-session proxychains:f proxychains4:f torsocks firejail eatmydata dotenv:efpc entr rlwrap screen:STtpc",
    "setpriv runuser:ugGsw gosu=1 su-exec=1 systemd-run:upEHM systemd-inhibit chronic unbuffer caffeinate:tw fakeroot:lib",
    "yarn+workspaces+foreach npx:pw bunx:p pnpx npm+exec:pw npm+x:pw pnpm+exec:FC pnpm+dlx:p yarn+exec yarn+dlx:p",
    "bundle+exec poetry+run pipenv+run pdm+run hatch+run rye+run uv+run:p uvx:p mise+exec:CjE mise+x:CjE doppler+run:pct",
    "op+run dotenvx+run:fe infisical+run corepack git+bisect+run k3s microk8s aws-vault+exec=1:drm volta+run conda+run:np",
    "fnm+exec asdf+exec rtx+exec xargs<:adEILnPRsJS parallel<:jaSNCdIn watch!:n tmux+new!:ceFfnstxy tmux+new-session!:ceFfnstxy",
    "cross-env-shell! git+submodule+foreach! nix+develop=1:ku",
  ]
    .flatMap(words)
    .map((text) => {
      const [, name = "", mark = "", count, valued = ""] =
        /^([^=<!:]+)([<!]?)(?:=(\d))?(?::(\w+))?$/.exec(text) ?? [];
      return [
        name.replaceAll("+", " "),
        { operands: Number(count ?? 0), valued, isScript: mark === "!", hasInput: mark === "<" },
      ];
    }),
);

/** The longest name that is a runner, options between its words left aside, and where the words behind it begin. */
export function runnerOf(
  given: readonly ShellWord[],
): { label: string; runner: Runner; next: number } | undefined {
  let found: { label: string; runner: Runner; next: number } | undefined;
  let label = "";
  for (let i = 0, used = 0; i < given.length && used < 3; i++) {
    const { text = "" } = given[i] ?? {};
    const word = given[i];
    if (i > 0 && word && /^-./.test(text)) {
      if (readOption(word, given[i + 1], optionsOf(label)).isNextTaken) i += 1;
      continue;
    }
    label = used++ === 0 ? text : `${label} ${text}`;
    const runner = RUNNERS.get(label);
    if (runner) found = { label, runner, next: i + 1 };
  }
  return found;
}

/** Options of runners, behind the runner's name, whose value is a whole script. */
export const SCRIPT_OPTION: RegExp = /^env -\w*S$| --(?:split-string|call|command|run)$| -\w*c$/;
/** Options by which a runner runs nothing: `command -v`, `sudo -l`. */
export const INERT_OPTION: RegExp = /^command -[vV]$|^(?:sudo|doas) (?:-[lveV]|--(?:list|validate|edit))$/;
/** Options by which a program goes elsewhere first. */
export const FOLDER_OPTION: RegExp =
  /^(?:env|mise \w+|pnpm exec) -C$|^sudo -D$| --(?:chdir|directory|cwd|working-directory)$/;

/** What a program does with the files that it names. */
export type FileUse = "speaks" | "reads" | "writes" | "last" | "flagged";

/** Of a program that does not stand here nobody can tell what it does to a file that it names. */
const FILE_USES: ReadonlyMap<string, FileUse> = new Map(
  Object.entries({
    // Nothing but show, compare, look for or send their words, and run none of them.
    speaks: `echo printf cd pwd test [ true false : type which whereis tldr info help alias complete hash set unset export
      declare local readonly typeset read mapfile sleep seq id whoami uname hostname printenv ag ack grep egrep fgrep rg fd
      fzf jq apt apt-get brew dnf yum pacman apk snap port cowsay figlet say notify-send logger wait jobs fg bg exit return
      break continue shift getopts let pushd popd dirs umask ulimit times kill killall pkill pgrep ps top gh glab hub git
      clear reset tput stty nproc free history trap mkdir curl wget ssh eval source . env find`,
    reads: `cat ls wc rev sort uniq cut tr tac nl fold column paste join comm diff cmp less more bat basename dirname
      realpath readlink stat file du df date xmllint cksum md5sum sha1sum sha256sum base64 xxd od hexdump strings man tree
      exa eza pbcopy xclip lsof open xdg-open code subl mdcat aspell codespell vale markdownlint shellcheck mypy pyright
      tsc head tail zcat zgrep psql mysql mariadb patch tar bsdtar unzip 7z dd`,
    writes: `rm rmdir unlink shred srm touch truncate tee mv chmod chown chgrp chattr sponge trash dos2unix unix2dos black
      isort ed ex rustfmt setfacl vim vi nvim nano gzip gunzip bzip2 xz zip rename mkfifo mktemp rimraf`,
    last: "cp ln install rsync scp sftp ditto",
    flagged: `sed gsed perl ruby yq gofmt goimports prettier eslint stylelint ruff biome shfmt clang-format autopep8
      dprint awk gawk xmlstarlet`,
  }).flatMap(([use, names]) => words(names).map((name): [string, FileUse] => [name, use as FileUse])),
);

/** What a program does with files; undefined: nobody can tell. */
export function fileUse(program: string): FileUse | undefined {
  return FILE_USES.get(program);
}

/** Programs that run text in other languages or on other machines, whatever else is known of them. */
const ELSEWHERE =
  /^(?:ssh|python\d*(?:\.\d+)?|node|perl|ruby|g?awk|n?vim?|ed|ex|make|docker (?:compose )?(?:run|exec)|docker-compose (?:run|exec)|kubectl (?:exec|run)|podman (?:run|exec)|cargo run|git filter-branch)$/;

/** Which of its words and of its input a program may run in a way that nobody here can tell. */
export function runsWords(names: readonly string[]): "all" | "phrases" | "none" {
  const [name = ""] = names;
  if ([1, 2, 3].some((count) => ELSEWHERE.test(names.slice(0, count).join(" ")))) return "all";
  const use = FILE_USES.get(name);
  if (use === undefined) return optionsOf(name) === undefined ? "all" : "phrases";
  return use === "speaks" ? "none" : "phrases";
}
