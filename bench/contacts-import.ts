import { createToken, program } from '@groundwork/e2e/program'
import { newId } from '@groundwork/server/lib/ids'
import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from './process-memory.ts'
import { printTable, withEnds } from './run.ts'

/**
 * An import of many rows with one bad row in a hundred, during which the program is killed twice, against a bare batched upsert of the same
 * rows into the same indexed table. Fails if an import counts other rows than its dry run, or the second import changes anything.
 */

const rows = Number(process.argv[2] ?? 200_000)
/** Rows of one statement of the bare upsert. */
const batch = 500

interface Import {
  readonly status: string
  readonly progress: { readonly done: number }
  readonly counts: Readonly<Record<string, number>>
}

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'fatal' })
  await groundwork.start()
  const { token } = await createToken(groundwork)
  const call = async <T>(path: string, body?: object): Promise<T> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${groundwork.url}${path}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const content = Buffer.from(
    ['First Name,Last Name,E-mail,Phone,Job Title', ...Array.from({ length: rows }, (_, at) => line(at))].join('\n'),
  )
  const upload = await call<{ uploadUrl: string; headers: Record<string, string>; storageUrl: string }>('/v1/uploads', {
    fileName: 'contacts.csv',
    sizeBytes: content.length,
  })
  await fetch(upload.uploadUrl, { method: 'PUT', headers: upload.headers, body: content })

  const imported = async (dryRun: boolean, killsAt: readonly number[] = []): Promise<Import & { seconds: number; maxMb: number }> => {
    let maxMb = 0
    const started = performance.now()
    const kills = killsAt.map((share) => share * rows)
    const { id } = await call<{ id: string }>('/v1/contact-imports', { storageUrl: upload.storageUrl, dryRun })
    for (;;) {
      const found = await call<Import>(`/v1/contact-imports/${id}`)
      maxMb = Math.max(maxMb, await memoryOf(groundwork.pid()))
      if (found.status !== 'queued' && found.status !== 'running') return { ...found, seconds: (performance.now() - started) / 1000, maxMb }
      if (found.progress.done >= (kills[0] ?? Infinity)) {
        kills.shift()
        await groundwork.kill()
        await groundwork.start()
      }
      await sleep(200)
    }
  }
  const idleMb = await memoryOf(groundwork.pid())
  const runs = {
    'dry run': await imported(true),
    'first import': await imported(false, [0.3, 0.6]),
    'second import': await imported(false),
  }
  const bad = Math.floor((rows + 49) / 100)
  requireCounts(runs['dry run'], { created: rows - bad, updated: 0, unchanged: 0, failed: bad })
  requireCounts(runs['first import'], runs['dry run'].counts)
  requireCounts(runs['second import'], { created: 0, updated: 0, unchanged: rows - bad, failed: bad })
  const bareSeconds = await bareUpsert(groundwork.env['DATABASE_URL'], atEnd)
  printTable(
    `Import of ${rows} rows, 1 % bad (PostgreSQL)`,
    ['run', 'seconds', 'rows/s', 'of bare', 'MB at most', 'counts'],
    [
      ...Object.entries(runs).map(([name, { seconds, maxMb, counts }]) => [
        name,
        seconds.toFixed(1),
        (rows / seconds).toFixed(0),
        (bareSeconds / seconds).toFixed(2),
        maxMb.toFixed(0),
        JSON.stringify(counts),
      ]),
      ['bare upsert', bareSeconds.toFixed(1), (rows / bareSeconds).toFixed(0), '1', '', ''],
    ],
  )
  process.stdout.write(`memory of the idle program: ${idleMb.toFixed(0)} MB\n`)
})

function requireCounts({ status, counts }: Import, expected: Import['counts']): void {
  const isWrong = Object.entries(expected).some(([name, count]) => counts[name] !== count)
  if (status !== 'completed' || isWrong) throw new Error(`${status}: ${JSON.stringify(counts)} instead of ${JSON.stringify(expected)}`)
}

function line(at: number): string {
  const email = at % 100 === 50 ? 'nobody' : `person${at}@example.com`
  return `Given${at % 997},Family${at % 4999},${email},+4930${String(1_000_000 + at)},Analyst`
}

async function bareUpsert(url: string | undefined, atEnd: (end: () => Promise<void>) => void): Promise<number> {
  if (url === undefined) throw new Error('set TEST_DATABASE_URL: the embedded engine has one session')
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  atEnd(() => database.end())
  const organization = newId()
  await database.query(
    `insert into organization select (jsonb_populate_record(o, jsonb_build_object('id', $1::text, 'slug', $1::text))).* from organization o limit 1`,
    [organization],
  )
  const started = performance.now()
  for (let from = 0; from < rows; from += batch) {
    const part = Array.from({ length: Math.min(batch, rows - from) }, (_, index) => line(from + index).split(','))
    const column = (at: number): string[] => part.map((cells) => cells[at] ?? '')
    await database.query(
      `with given as (
         select * from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
           as given (id, first_name, last_name, email, phone, job_title)
       ), changed as (
         update contact set first_name = given.first_name, last_name = given.last_name, phone = given.phone, job_title = given.job_title,
           updated_at = $8
         from given where contact.organization_id = $1 and contact.email = given.email and contact.deleted_at is null returning contact.email
       )
       insert into contact (organization_id, id, first_name, last_name, email, phone, job_title, tags, created_at, updated_at)
       select $1, id, first_name, last_name, email, phone, job_title, '{}', $8, $8 from given
       where not exists (select from changed where changed.email = given.email)`,
      [organization, part.map(() => newId()), column(0), column(1), column(2), column(3), column(4), new Date()],
    )
  }
  return (performance.now() - started) / 1000
}
