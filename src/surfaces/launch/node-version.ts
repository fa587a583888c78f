/** Why this Node cannot run heed; undefined: it can. In syntax that the oldest one reads, as is all that says so. */
export function whyNoNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isOld = major < 20 || (major === 20 && minor < 19);
  return isOld
    ? `heed is off: it needs Node 20.19 or newer, and ${process.execPath} is ${process.version}`
    : undefined;
}
