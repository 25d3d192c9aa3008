import { Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { alterMessages, binds, queries, replaced } from '../testing/faults.ts'
import { onStatement } from '../testing/statements.ts'
import { copyOfTemplate } from '../testing/template.ts'
import type { Database } from './database.ts'
import type { Transaction } from './schema.ts'

let database: Database
let close: () => Promise<void>
const [first, second] = [newId(), newId()]
const unaltered = (message: Buffer): Buffer => message
/** Changes each message on its way to the server. */
let alter = unaltered

beforeAll(async () => {
  const copy = await copyOfTemplate({
    serverUrl: inject('serverUrl'),
    embeddedTemplate: inject('embeddedTemplate'),
    onStream: (stream) => alterMessages(stream, (message) => alter(message)),
  })
  database = copy.database
  close = copy.close
  for (const id of [first, second])
    await database.pool.query(`insert into organization (id, name, created_at) values ($1, 'Test', now())`, [id])
})
afterEach(async () => {
  alter = unaltered
  await database.pool.query(`update organization set name = 'Test'`)
})
afterAll(() => close())

const rename = (trx: Transaction) => trx.updateTable('organization').set({ name: 'Changed' })
const isBroken = 'ScopeError'

/** Every way to the database, with a statement that would change rows of all organizations if it ran as the owner. */
const paths: Record<string, () => Promise<unknown>> = {
  'a selection': () => database.select(first, rename),
  'a selection without parameters': () =>
    database.select(first, (db) => ({ compile: () => sql`update organization set name = 'Changed'`.compile(db) })),
  'a selection planned once': () => database.select(first, rename, { plannedOnce: true }),
  'a transaction': () => database.transaction(first, (trx) => rename(trx).execute()),
  'a transaction without parameters': () =>
    database.transaction(first, (trx) => sql`update organization set name = 'Changed'`.execute(trx)),
  'a repeatable read': () => database.transaction(first, (trx) => rename(trx).execute(), { repeatableRead: true }),
  'statements of a transaction at once': () =>
    database.transaction(first, (trx) => Promise.all([sql`select 1`.execute(trx), rename(trx).execute(), rename(trx).execute()])),
  'a presented secret': () => database.presenting({ kind: 'token_hash', value: Buffer.alloc(32) }, (trx) => rename(trx).execute()),
  'the sign-in library': () => people.updateTable('public.organization').set({ name: 'Changed' }).execute(),
  'a transaction of the sign-in library': () =>
    people.transaction().execute((trx) => trx.updateTable('public.organization').set({ name: 'Changed' }).execute()),
}
let people: Kysely<{ 'public.organization': { name: string } }>
beforeAll(() => {
  people = new Kysely({ dialect: database.identity })
})

const names = async (): Promise<unknown[]> => (await database.pool.query('select distinct name from organization')).rows

describe('a statement whose scope the server did not set', () => {
  /** The scope is answered with an error, as a server or a pooler may answer any statement. */
  const refuse = (message: Buffer): Buffer => {
    if (queries(message)) return replaced(message, 'set local role groundwork_identity', 'set local role groundwork_identitx')
    // Of another encoding than text: 22023 for the value, whichever statement it is.
    return ['scope', 'scope_planned_once'].some((name) => binds(message, name)) ? replaced(message, 'app.', 'no n') : message
  }
  it.each(Object.entries(paths))('fails and changes nothing: %s', async (_path, run) => {
    alter = refuse
    await expect(run()).rejects.toMatchObject({ message: expect.any(String) })
    alter = unaltered
    expect(await names()).toEqual([{ name: 'Test' }])
  })

  it.each(Object.entries(paths).filter(([path]) => path.includes('transaction') || path === 'a repeatable read'))(
    'fails and changes nothing where BEGIN is refused: %s',
    async (_path, run) => {
      alter = (message) => {
        if (queries(message)) return replaced(message, 'begin; set', 'begix; set')
        const begin = ['begin', 'begin_repeatable_read'].find((name) => binds(message, name))
        return begin === undefined ? message : replaced(message, begin, begin.replace('begin', 'scope'))
      }
      await expect(run()).rejects.toMatchObject({ message: expect.any(String) })
      alter = unaltered
      expect(await names()).toEqual([{ name: 'Test' }])
    },
  )

  it('is an error where the server answers for another organization', async () => {
    const other = (message: Buffer): Buffer => (binds(message, 'scope') ? replaced(message, first, second) : message)
    const ids = (trx: Transaction) => trx.selectFrom('organization').select('id')
    alter = other
    await expect(database.select(first, ids)).rejects.toMatchObject({ name: isBroken })
    await expect(database.transaction(first, (trx) => ids(trx).execute())).rejects.toMatchObject({ name: isBroken })
    alter = unaltered
    expect(await database.select(first, ids)).toEqual([{ id: first }])
  })

  it('cannot be sent: each travels with its scope, or follows one that was confirmed', async () => {
    const unscoped: string[] = []
    let open = 0
    const stop = onStatement(({ text, scope, begins }) => {
      if (begins || text.startsWith('begin; set local role')) open += 1
      else if (text === 'commit') open -= 1
      else if (scope === undefined && open === 0) unscoped.push(text)
    })
    for (const run of Object.values(paths)) await run().catch((error: Error) => error)
    stop()
    expect(unscoped).toEqual([])
  })
})

describe('a transaction that has ended', () => {
  it('runs no statement: it would be one of the owner, or of the next transaction', async () => {
    let kept: Transaction | undefined
    await database.transaction(first, async (trx) => {
      kept = trx
      await sql`select 1`.execute(trx)
    })
    await expect(kept && rename(kept).execute()).rejects.toThrow('the transaction has ended')
    expect(await names()).toEqual([{ name: 'Test' }])
  })

  it('is not taken for kept when a failed statement rolled it back, also where its error was caught', async () => {
    const work = database.transaction(first, async (trx) => {
      await rename(trx).execute()
      await sql`select 1 / 0`.execute(trx).catch((error: unknown) => error)
    })
    await expect(work).rejects.toThrow('rolled back')
  })

  it('asked nothing of the database costs it nothing', async () => {
    const sent: string[] = []
    const stop = onStatement(({ text }) => sent.push(text))
    await database.transaction(first, async () => undefined)
    stop()
    expect(sent).toEqual([])
  })
})
