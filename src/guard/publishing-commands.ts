import { type FlagTest, parseFlagTest } from "./entry-tests.ts";

/** What puts a package, image or release where others get it: a subcommand or flag, and the programs that have it. */
const ROWS = `
publish: npm, pnpm, yarn, yarn npm, bun, lerna, changeset, jsr, deno, vsce, ovsx, cargo, poetry, uv, flit, hatch, pdm
publish: maturin, sbt, dart pub, flutter pub, opam, wasm-pack
*publish: gradle, gradlew
hex.publish: mix
upload: twine, maturin, python* setup.py, conda, anaconda, cabal, luarocks, gh release, snapcraft
push: gem, dotnet nuget, nuget, choco, pod trunk, docker, docker image, docker compose, podman, helm
deploy: mvn, mvnw
release: cargo, release-plz, rake, goreleaser
copy: skopeo
create: gh release, glab release
submit: eas
--push: docker buildx build, docker build
: semantic-release, release-it, np
`;

export const PUBLISHING_COMMANDS: readonly { command: readonly string[]; flags: readonly FlagTest[] }[] =
  ROWS.trim()
    .split("\n")
    .flatMap((row) => {
      const [last = "", programs = ""] = row.split(": ");
      const flag = parseFlagTest(last);
      return programs.split(", ").map((program) => ({
        command: [...program.split(" "), ...(flag || last === "" ? [] : [last])],
        flags: flag ? [flag] : [],
      }));
    });
