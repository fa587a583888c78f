/** How a command that runs another one names it. */
export interface Wrapper {
  /** Short options that take a value. */
  valued?: string;
  /** Long options that take the next word as their value. */
  valuedLong?: readonly string[];
  /** So many operands stand before the command: the duration of `timeout`. */
  operands?: number;
  /** Assignments may stand before the command: `env A=1 git …`. */
  hasAssignments?: boolean;
  /** These options mean that nothing is run: `command -v git`. */
  inert?: readonly string[];
  /** The value of this option is a whole script. */
  script?: readonly string[];
  /** Without that option the words that are left, joined, are the script. */
  isScript?: boolean;
  /** Words after the command come from the input as well. */
  hasInput?: boolean;
}

/** Commands that run the command given to them, by name or by name and subcommand. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    valued: "uCP",
    valuedLong: ["--unset", "--chdir"],
    hasAssignments: true,
    script: ["-S", "--split-string"],
  },
  "cross-env": { hasAssignments: true },
  "cross-env-shell": { hasAssignments: true, isScript: true },
  sudo: {
    valued: "CDghpRrtTUu",
    valuedLong: ["--user", "--group", "--chdir", "--chroot", "--host", "--prompt", "--role", "--type"],
    hasAssignments: true,
    inert: ["-l", "-v", "-e", "--list", "--validate", "--edit", "-K", "-k"],
  },
  doas: { valued: "Cu" },
  time: { valued: "fo", valuedLong: ["--format", "--output"] },
  nohup: {},
  setsid: {},
  command: { inert: ["-v", "-V"] },
  builtin: {},
  exec: { valued: "a" },
  timeout: { valued: "ks", valuedLong: ["--kill-after", "--signal"], operands: 1 },
  gtimeout: { valued: "ks", valuedLong: ["--kill-after", "--signal"], operands: 1 },
  nice: { valued: "n", valuedLong: ["--adjustment"] },
  ionice: { valued: "cn" },
  chrt: { operands: 1 },
  taskset: { operands: 1 },
  stdbuf: { valued: "ioe", valuedLong: ["--input", "--output", "--error"] },
  chronic: {},
  unbuffer: {},
  caffeinate: { valued: "tw" },
  "xvfb-run": { valued: "efnpsw", valuedLong: ["--server-num", "--server-args"] },
  strace: { valued: "abeEIoOpPsSuX" },
  ltrace: { valued: "abDeFlnopsSuwx" },
  chroot: { operands: 1 },
  busybox: {},
  unshare: { valued: "SGRw" },
  "ssh-agent": { valued: "aEPtO" },
  "dbus-run-session": {},
  proxychains: { valued: "f" },
  proxychains4: { valued: "f" },
  torsocks: {},
  firejail: {},
  eatmydata: {},
  faketime: { valued: "fm", operands: 1 },
  dotenv: { valued: "efpvc" },
  entr: {},
  rlwrap: {},
  "nix-shell": { valued: "pAI", script: ["--run", "--command"], operands: 99 },
  fish: { script: ["-c", "--command"], operands: 99 },
  "tmux new": { valued: "cnstxyF", isScript: true },
  "tmux new-session": { valued: "cnstxyF", isScript: true },
  screen: { valued: "SsTtpc" },
  watch: { valued: "dn", valuedLong: ["--interval"], isScript: true },
  flock: { valued: "wEc", valuedLong: ["--timeout", "--wait"], operands: 1, script: ["-c", "--command"] },
  su: { valued: "gGsw", operands: 1, script: ["-c", "--command"] },
  script: { valued: "EImoOtT", operands: 99, script: ["-c", "--command"] },
  xargs: {
    valued: "aEIJLnPsdRS",
    valuedLong: [
      "--arg-file",
      "--delimiter",
      "--max-args",
      "--max-procs",
      "--max-lines",
      "--max-chars",
      "--replace",
    ],
    hasInput: true,
  },
  parallel: { valued: "jaSN", valuedLong: ["--jobs"], hasInput: true },
  npx: { valued: "pc", valuedLong: ["--package"], script: ["-c", "--call"] },
  bunx: { valued: "p" },
  pnpx: {},
  "npm exec": { valued: "pc", valuedLong: ["--package"], script: ["-c", "--call"] },
  "npm x": { valued: "pc", valuedLong: ["--package"], script: ["-c", "--call"] },
  "pnpm exec": {},
  "pnpm dlx": { valued: "p", valuedLong: ["--package"] },
  "yarn exec": {},
  "yarn dlx": { valued: "p", valuedLong: ["--package"] },
  "bundle exec": {},
  "poetry run": {},
  "pipenv run": {},
  "pdm run": {},
  "hatch run": {},
  "rye run": {},
  "uv run": {
    valued: "p",
    valuedLong: ["--with", "--python", "--directory", "--project", "--extra", "--group"],
  },
  "mise exec": {},
  "mise x": {},
  "direnv exec": { operands: 1 },
  "doppler run": {},
  "op run": { valuedLong: ["--env-file"] },
  "git bisect run": {},
  "git submodule foreach": { isScript: true },
};

/** Shells whose scripts are read: bash and those of which it understands nearly all. */
export const SHELLS: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "mksh",
  "ash",
  "rbash",
]);
