import { readInjectionData } from "./injection-data.ts";
import { samplesOf, hitsOf, indexOf } from "./relevance-samples.ts";
import { readJsonLines } from "./json-lines.ts";
import { writeFileSync } from "node:fs";
const out: any[] = [];
{
  const data = readInjectionData("/work/shared/data/injection-dev");
  const { labelled } = samplesOf(data);
  for (const s of labelled) out.push({ set: s.label!.isNatural ? "inat" : "inj", store: s.storeId, need: s.label!.relevant, hits: s.hits, prompt: s.label!.prompt });
}
{
  const data = readInjectionData("/work/shared/data/natural-dev");
  const raw = new Map(readJsonLines<any>("/work/shared/data/natural-dev/labels.jsonl").map((l) => [l.store_id + l.prompt_id, l]));
  for (const storeId of new Set(data.prompts.map((p) => p.storeId))) {
    const own = data.memories.filter((m) => m.storeId === storeId);
    for (const label of data.prompts.filter((p) => p.storeId === storeId)) {
      const r = raw.get(storeId + label.id);
      const ex = new Set(r.exclude_candidates);
      const reader = indexOf(own.filter((m) => !ex.has(m.id)));
      out.push({ set: "nat", store: storeId, need: label.relevant, hits: hitsOf(reader, label.prompt, label), prompt: label.prompt });
    }
  }
}
writeFileSync("/tmp/samples.json", JSON.stringify(out));
console.log(out.length);
