import type { Client } from '@groundwork/e2e/client'
import { openWire } from './http.ts'
import type { Passages } from './passages.ts'
import { askedParts, noEfforts, topK, type System } from './peer.ts'

/** @param baseIds in the order of their numbers */
export function groundwork(client: Client, baseIds: readonly string[], passages: Passages, hybridSearch: boolean): System {
  const name = hybridSearch ? 'Groundwork, hybrid search (default)' : 'Groundwork, vector search only'
  const placeOf = new Map(passages.ids.map((id, place) => [id, place]))
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${client.token}` }
  const filter = { key: 'part', in: askedParts }
  const start = async () => {
    const wire = openWire(client.url)
    return {
      name,
      hybrid: hybridSearch,
      efforts: noEfforts,
      tune: async () => {},
      ask: async ({ text, base }: { text: string; base: number }) => {
        const body = { query: text, topK, filter, hybridSearch, similarityThreshold: 0, collapseDuplicates: false }
        const reply = await wire.post(`/v1/bases/${baseIds[base]}/search`, JSON.stringify(body), headers)
        return () => (JSON.parse(reply) as { data: { chunkId: string }[] }).data.map(({ chunkId }) => placeOf.get(chunkId) ?? -1)
      },
      close: () => wire.close(),
    }
  }
  return { name, variants: [start] }
}
