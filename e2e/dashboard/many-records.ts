import { join } from 'node:path'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Dashboard } from './browser.ts'
import type { ShownPage } from './extreme-data.ts'

/** Number of sources of the knowledge base, and of contacts. */
const many = Number(process.env['LAYOUT_MANY_ROWS'] ?? 10_000)

/** Adds many sources to one knowledge base, and many contacts. Returns the pages with their lists, at their beginning and at their end. */
export async function manyRecords({ api, slug, program }: Pick<Dashboard, 'api' | 'slug' | 'program'>): Promise<ShownPage[]> {
  const base = await api.bases.create({ name: 'All manuals' })
  await insertSources(program.env, base.id)
  for (let first = 0; first < many; first += 500) {
    const contacts = Array.from({ length: Math.min(500, many - first) }, (_, index) => contactOf(first + index))
    await api.contacts.batch({ matchOn: 'email', contacts })
  }
  const sources = `/${slug}/knowledge/${base.id}/sources`
  const contacts = `/${slug}/contacts`
  return [
    { name: 'home', path: `/${slug}` },
    { name: 'knowledge', path: `/${slug}/knowledge`, isList: true },
    { name: 'base', path: `/${slug}/knowledge/${base.id}` },
    { name: 'sources', path: sources, isList: true },
    { name: 'sources-largest', path: `${sources}?sort=-bytes`, isList: true },
    { name: 'sources-failed', path: `${sources}?status=failed&sort=name`, isList: true },
    { name: 'sources-selected', path: sources, open: selectAll },
    { name: 'sources-end', path: `${sources}?sort=createdAt`, open: scrollToEnd },
    { name: 'contacts', path: contacts, isList: true },
    { name: 'contacts-by-name', path: `${contacts}?sort=name`, isList: true },
    { name: 'contacts-end', path: contacts, open: scrollToEnd },
  ]
}

const contactOf = (index: number) => ({
  email: `guest${index}@example.com`,
  firstName: ['Ada', 'Grace', 'José', 'Łukasz', '美咲', 'فاطمة'][index % 6] ?? '',
  lastName: `${['Lovelace', 'Hopper', 'García', 'Wiśniewski', '佐藤', 'الزهراء'][index % 6]} ${index}`,
  phone: `+4930${1_000_000 + index}`,
  tags: index % 9 === 0 ? ['regular', 'group'] : [],
})

/** Inserts rows of processed and failed sources without content: processing so many takes an hour. */
async function insertSources({ DATABASE_URL, DATA_DIR = '' }: Record<string, string>, baseId: string): Promise<void> {
  const client = new pg.Client(
    DATABASE_URL === undefined
      ? { host: join(DATA_DIR, 'db'), user: 'postgres', database: 'postgres' }
      : { connectionString: DATABASE_URL },
  )
  await client.connect()
  try {
    await client.query(
      `insert into source (organization_id, id, base_id, name, type, url, title, bytes, pages, chunks_count, language, status, stage, error,
         error_code, enabled, created_at, updated_at, last_synced_at)
       select b.organization_id, gen_random_uuid(), b.id,
         case when n % 4 = 1 then 'example.com/manuals/' || n
           else repeat('Owner’s manual of the city bicycle ', 1 + n % 13 / 12 * 4) || n || '.pdf' end,
         case n % 4 when 1 then 'url' when 2 then 'scrape' when 3 then 'youtube' else 'file' end,
         case when n % 4 > 0 then 'https://example.com/manuals/' || n end,
         case when n % 4 = 1 then 'دليل المستخدم ' || n end,
         (n * 7919::bigint) % 1999999999, n % 400, n * 31 % 12345, 'en',
         case when n % 50 = 0 then 'failed' else 'completed' end, case when n % 50 = 0 then 'fetching' else 'done' end,
         case when n % 50 = 0 then 'The site did not answer in time.' end, case when n % 50 = 0 then 'timeout' end,
         n % 33 <> 0, now() - n * interval '17 min', now() - n * interval '11 min', now() - n * interval '11 min'
       from base b, generate_series(1, $2) n where b.id = $1`,
      [baseId.slice(-36), many],
    )
    await client.query('analyze source')
  } finally {
    await client.end()
  }
}

async function selectAll(page: Page): Promise<void> {
  const all = page.getByRole('checkbox', { name: 'Select all' })
  // Cards have no box for all.
  if ((await all.count()) > 0) await all.check()
  else await page.getByRole('checkbox').first().check()
}

/** Scrolls until all rows are loaded. */
async function scrollToEnd(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: /^(?:Load|Show) more/ })
  await expect
    .poll(
      async () => {
        await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
        return more.count()
      },
      { timeout: 600_000, interval: 50 },
    )
    .toBe(0)
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
}
