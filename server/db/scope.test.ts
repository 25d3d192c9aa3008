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
const [organization, otherOrganization] = [newId(), newId()]
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
  for (const id of [organization, otherOrganization])
    await database.pool.query(`insert into organization (id, name, created_at) values ($1, 'Test', now())`, [id])
})
afterEach(async () => {
  alter = unaltered
  await database.pool.query(`update organization set name = 'Test'`)
})
afterAll(() => close())

const renameAll = (trx: Transaction) => trx.updateTable('organization').set({ name: 'Changed' })
const scopeError = 'ScopeError'

/** Every way to run statements, with a statement that would change rows of all organizations if it ran as the owner. */
const accesses: Record<string, () => Promise<unknown>> = {
  'a selection': () => database.select(organization, renameAll),
  'a selection without parameters': () =>
    database.select(organization, (db) => ({ compile: () => sql`update organization set name = 'Changed'`.compile(db) })),
  'a selection planned once': () => database.select(organization, renameAll, { plannedOnce: true }),
  'a transaction': () => database.transaction(organization, (trx) => renameAll(trx).execute()),
  'a transaction without parameters': () =>
    database.transaction(organization, (trx) => sql`update organization set name = 'Changed'`.execute(trx)),
  'a repeatable read': () => database.transaction(organization, (trx) => renameAll(trx).execute(), { repeatableRead: true }),
  'statements of a transaction at once': () =>
    database.transaction(organization, (trx) =>
      Promise.all([sql`select 1`.execute(trx), renameAll(trx).execute(), renameAll(trx).execute()]),
    ),
  'a presented secret': () => database.presenting({ kind: 'token_hash', value: Buffer.alloc(32) }, (trx) => renameAll(trx).execute()),
  'the sign-in library': () => identityDb.updateTable('public.organization').set({ name: 'Changed' }).execute(),
  'a transaction of the sign-in library': () =>
    identityDb.transaction().execute((trx) => trx.updateTable('public.organization').set({ name: 'Changed' }).execute()),
}
let identityDb: Kysely<{ 'public.organization': { name: string } }>
beforeAll(() => {
  identityDb = new Kysely({ dialect: database.identity })
})

const names = async (): Promise<unknown[]> => (await database.pool.query('select distinct name from organization')).rows

// The scope of a statement is the role and the organization that row-level security applies to it.
describe('a statement whose scope the server did not set', () => {
  /** Makes the server refuse the statements that set the scope: it does not know the role or the setting. */
  const refuse = (message: Buffer): Buffer => {
    if (queries(message)) return replaced(message, 'set local role groundwork_identity', 'set local role groundwork_identitx')
    // The name of the setting, `app.…`, becomes invalid. Replacements keep the length of the message.
    return ['scope', 'scope_planned_once'].some((name) => binds(message, name)) ? replaced(message, 'app.', 'no n') : message
  }
  it.each(Object.entries(accesses))('fails and changes nothing: %s', async (_access, run) => {
    alter = refuse
    await expect(run()).rejects.toMatchObject({ message: expect.any(String) })
    alter = unaltered
    expect(await names()).toEqual([{ name: 'Test' }])
  })

  it.each(Object.entries(accesses).filter(([access]) => access.includes('transaction') || access === 'a repeatable read'))(
    'fails and changes nothing where BEGIN is refused: %s',
    async (_access, run) => {
      alter = (message) => {
        if (queries(message)) return replaced(message, 'begin; set', 'begix; set')
        // Runs the prepared statement `scope` instead of `begin`, so no transaction starts.
        const begin = ['begin', 'begin_repeatable_read'].find((name) => binds(message, name))
        return begin === undefined ? message : replaced(message, begin, begin.replace('begin', 'scope'))
      }
      await expect(run()).rejects.toMatchObject({ message: expect.any(String) })
      alter = unaltered
      expect(await names()).toEqual([{ name: 'Test' }])
    },
  )

  it('is an error where the server answers for another organization', async () => {
    const other = (message: Buffer): Buffer => (binds(message, 'scope') ? replaced(message, organization, otherOrganization) : message)
    const ids = (trx: Transaction) => trx.selectFrom('organization').select('id')
    alter = other
    await expect(database.select(organization, ids)).rejects.toMatchObject({ name: scopeError })
    await expect(database.transaction(organization, (trx) => ids(trx).execute())).rejects.toMatchObject({ name: scopeError })
    alter = unaltered
    expect(await database.select(organization, ids)).toEqual([{ id: organization }])
  })

  it('is never sent: each statement is sent with its scope, or in a transaction that set it', async () => {
    const unscoped: string[] = []
    let open = 0
    const stop = onStatement(({ text, scope, begins }) => {
      if (begins || text.startsWith('begin; set local role')) open += 1
      else if (text === 'commit' || text === 'rollback') open -= 1
      else if (scope === undefined && open === 0) unscoped.push(text)
    })
    for (const run of Object.values(accesses)) await run().catch((error: Error) => error)
    stop()
    expect(unscoped).toEqual([])
  })
})

describe('a transaction that has ended', () => {
  it('runs no statement: it would run as the owner of the database, or in the next transaction', async () => {
    let kept: Transaction | undefined
    await database.transaction(organization, async (trx) => {
      kept = trx
      await sql`select 1`.execute(trx)
    })
    await expect(kept && renameAll(kept).execute()).rejects.toThrow('the transaction has ended')
    expect(await names()).toEqual([{ name: 'Test' }])
  })

  it('rejects if a failed statement rolled it back, even if the error of the statement was caught', async () => {
    const work = database.transaction(organization, async (trx) => {
      await renameAll(trx).execute()
      await sql`select 1 / 0`.execute(trx).catch((error: unknown) => error)
    })
    await expect(work).rejects.toThrow('rolled back')
  })

  it('sends nothing if it ran no statement', async () => {
    const sent: string[] = []
    const stop = onStatement(({ text }) => sent.push(text))
    await database.transaction(organization, async () => undefined)
    stop()
    expect(sent).toEqual([])
  })
})
