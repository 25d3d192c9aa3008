import pg from 'pg'
import { callers } from './http.ts'
import { sentVector, vectorOf, type Passages } from './passages.ts'
import { askedParts, noEfforts, topK, type System, type Variant } from './peer.ts'

interface Layout {
  readonly how: string
  readonly partitioned: boolean
  readonly indexes: string
  readonly efforts: Variant['efforts']
}

const exact: Layout = {
  how: 'exact scan of a narrow table',
  partitioned: false,
  indexes: 'create index on passage (base)',
  efforts: noEfforts,
}
const hnsw: Layout = {
  how: 'HNSW, iterative scan',
  partitioned: false,
  indexes: 'create index on passage using hnsw (embedding vector_ip_ops)',
  efforts: { of: 'ef_search', values: [40, 100, 200, 400, 800, 1000] },
}

/** pgvector on the same server, with eight connections and one prepared statement. */
export function pgvector(passages: Passages, bases: number): System {
  const layouts = [exact, hnsw, ...(bases === 1 ? [] : [{ ...hnsw, how: `${hnsw.how}, one partition per base`, partitioned: true }])]
  return { name: 'pgvector', variants: layouts.map((layout) => () => start(passages, bases, layout)) }
}

async function start(passages: Passages, bases: number, layout: Layout): Promise<Variant> {
  const server = process.env['TEST_DATABASE_URL']
  if (server === undefined) throw new Error('no PostgreSQL server; run this benchmark with .ci/with-postgres')
  const name = `pgvector_${process.pid}_${Date.now()}`
  await once(server, `create database ${name}`)
  const connectionString = Object.assign(new URL(server), { pathname: `/${name}` }).href
  // The callers keep both cores busy, so parallel workers would not help. The memory is for building the graph.
  const settings = ['max_parallel_workers_per_gather=0', 'maintenance_work_mem=512MB', 'max_parallel_maintenance_workers=0']
  const tuned = layout === exact ? [] : ['enable_seqscan=off', 'hnsw.iterative_scan=relaxed_order']
  const options = [...settings, ...tuned].map((setting) => `-c ${setting}`).join(' ')
  let pool = new pg.Pool({ connectionString, max: callers, options })
  const close = async (): Promise<void> => {
    await pool.end()
    await once(server, `drop database ${name}`)
  }
  try {
    await load(pool, passages, bases, layout)
    const { rows } = await pool.query<{ version: string }>(`select extversion as version from pg_extension where extname = 'vector'`)
    return {
      name: `pgvector ${rows[0]?.version}, ${layout.how}`,
      efforts: layout.efforts,
      async tune(effort) {
        if (layout === exact) return
        await pool.end()
        pool = new pg.Pool({ connectionString, max: callers, options: `${options} -c hnsw.ef_search=${effort}` })
      },
      async ask({ vector, base }) {
        const { rows: found } = await pool.query<{ place: number }>({
          name: 'ask',
          text: 'select place from passage where base = $1 and part = any($2) order by embedding <#> $3 limit $4',
          values: [base, askedParts, sentVector(vector), topK],
        })
        return () => found.map(({ place }) => place)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function load(pool: pg.Pool, passages: Passages, bases: number, { partitioned, indexes }: Layout): Promise<void> {
  const table =
    'create table passage (place integer not null, base integer not null, part integer not null, embedding vector(384) not null)'
  await pool.query(partitioned ? `${table} partition by list (base)` : table)
  for (let base = 0; base < (partitioned ? bases : 0); base++) {
    await pool.query(`create table passage_${base} partition of passage for values in (${base})`)
  }
  for (let from = 0; from < passages.ids.length; from += 500) {
    const places = passages.ids.slice(from, from + 500).map((_, at) => from + at)
    await pool.query(`insert into passage select * from unnest($1::int[], $2::int[], $3::int[], $4::vector[])`, [
      places,
      places.map((place) => passages.bases[place]),
      places.map((place) => passages.parts[place]),
      places.map((place) => `[${vectorOf(passages, place).join()}]`),
    ])
  }
  await pool.query(indexes)
  await pool.query('vacuum analyze passage')
}

async function once(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
