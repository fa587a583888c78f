import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import manifest from "./package.json" with { type: "json" };

/** Long files, however short their text is: begun last, one of them would run alone at the end of a first run. */
const LONG =
  /\/(?:torture|fuzz|truth|sync|doctor|when-idle|tidy-crash|offer-dialog|package|truth)\.test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  // As scripts/build.mjs has it.
  define: { __HEED_VERSION__: JSON.stringify(manifest.version) },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/run-folder.ts"],
    // Loading the sources once a worker, not once a file, saves a quarter of the whole time.
    isolate: false,
    // One more than the cores of a small machine: tests that wait leave theirs to others.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // For what hangs alone: a busy machine takes many times as long as a quiet one.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
    env: { NODE_EXTRA_CA_CERTS: "" },
  },
});
