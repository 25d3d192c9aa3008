import { describe, expect, it } from 'vitest'
import type { Source } from '@groundwork/api'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { largeTables, tableHeader, tableRow } from '../../testing/large-tables.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { newBase, settled, upload } from '../../testing/sources.ts'

/** A million in `npm run test:full`. The short form also has too many chunks for the inverted index in memory. */
const rows = Number(process.env['TABLE_ROWS'] ?? 60_000)

const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const { app, organization, database } = await testApp({ embedder: letterEmbedder(), worker: { outbound } })
const owner = await organization()

async function addTable(base: string, kind: keyof typeof largeTables): Promise<Source> {
  const storageUrl = await upload(app, owner, largeTables[kind](rows), `large.${kind}`)
  const { body } = await owner.call('POST', `/v1/bases/${base}/sources`, { name: kind, type: 'file', storageUrl })
  return settled(owner, body)
}

const search = async (base: string, query: string): Promise<string[]> => {
  const { body } = await owner.call('POST', `/v1/bases/${base}/search`, { query })
  return body.data.map(({ text }: { text: string }) => text)
}

async function count(query: string, values: readonly unknown[]): Promise<number> {
  return (await database.pool.query<{ n: number }>(`select count(*)::integer as n from ${query}`, [...values])).rows[0]?.n ?? -1
}

describe(`a table of ${rows} rows`, () => {
  it.each(['csv', 'jsonl', 'xlsx'] as const)(
    'is indexed from %s with its header in every chunk, found by rare values, and deleted completely',
    async (kind) => {
      const base = await newBase(owner)
      const source = await addTable(base, kind)
      expect(source).toMatchObject({ status: 'completed', error: null })
      const id = source.id.slice(4)
      expect(source.chunksCount).toBeGreaterThan(rows / 10)
      expect(await count('chunk where source_id = $1', [id])).toBe(source.chunksCount)
      expect(await count('chunk where source_id = $1 and position($2 in text) = 0', [id, tableHeader])).toBe(0)
      // Each search reads the postings of its terms.
      // Above 25,000, where no amount is equal to an id.
      for (const row of [rows - 2, Math.floor(rows / 2), 34_567]) {
        const found = await search(base, `id ${row}`)
        expect([row, found.some((text) => text.includes(tableRow(row)))]).toEqual([row, true])
      }
      expect((await owner.call('DELETE', `/v1/bases/${base}/sources/${source.id}`)).status).toBe(204)
      expect(await search(base, 'id 34567')).toEqual([])
      await expect.poll(() => count('index_removal', []), { timeout: 1_200_000, interval: 500 }).toBe(0)
      expect(await count('posting where base_id = $1', [base.slice(-36)])).toBe(0)
      expect(await count('chunk where base_id = $1', [base.slice(-36)])).toBe(0)
    },
    3_600_000,
  )
})
