import { type FlagTest, parseFlagTest } from "./entry-tests.ts";

/** Commands that put a package, image or release where others get it: program and subcommands, and the flag that makes it publish. */
const ROWS = `
npm publish
pnpm publish
yarn publish
yarn npm publish
bun publish
lerna publish
changeset publish
jsr publish
deno publish
vsce publish
ovsx publish
semantic-release
release-it
np
cargo publish
cargo release
release-plz release
poetry publish
uv publish
flit publish
hatch publish
pdm publish
twine upload
maturin publish
maturin upload
python* setup.py upload
conda upload
anaconda upload
gem push
rake release
mix hex.publish
mvn deploy
mvnw deploy
gradle *publish
gradlew *publish
sbt publish
dotnet nuget push
nuget push
choco push
dart pub publish
flutter pub publish
pod trunk push
cabal upload
luarocks upload
opam publish
docker push
docker image push
docker compose push
docker buildx build --push
docker build --push
podman push
skopeo copy
helm push
gh release create
gh release upload
glab release create
goreleaser release
snapcraft upload
eas submit
wasm-pack publish
`;

export const PUBLISHING_COMMANDS: readonly { command: readonly string[]; flags: readonly FlagTest[] }[] =
  ROWS.trim()
    .split("\n")
    .map((row) => {
      const words = row.split(" ");
      const flags = words.flatMap((word) => (word.startsWith("-") ? (parseFlagTest(word) ?? []) : []));
      return { command: words.filter((word) => !word.startsWith("-")), flags };
    });
