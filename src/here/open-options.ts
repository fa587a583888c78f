/** How to open heed. */
export interface OpenOptions {
  /** The directory in which the agent or person works. Default: the process's own. */
  cwd?: string;
  /** Environment to read directories and switches from. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * The program that captures sessions in the background: a script that is started as `node PROGRAM capture`, detached,
   * when a session stops, is compacted or ends. Default: none; then the sessions wait for `learning.capture()`.
   */
  program?: string;
  /**
   * The organisation's policy file. Default, and what heed's own programs always use: `/etc/heed/policy.yaml`, on macOS and
   * Windows the machine's folder for settings. No variable moves it, as a model can set those; a test gives another one.
   */
  policy?: string;
  /** The clock. Default: the system's. */
  now?: () => Date;
  /**
   * The process stays while an agent works. Then work that can wait is done once nobody has said anything for a while.
   * Default false.
   */
  isResident?: boolean;
  /** Called once a team's server was asked, with a line for each store that is as it was last read. Default: nobody is told. */
  onStale?: (lines: readonly string[]) => void;
}
