import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { onStatement } from '../testing/statements.ts'
import { copyOfTemplate } from '../testing/template.ts'
import type { Database } from './database.ts'
import { afterCommit, beginPart, defer } from './deferred.ts'
import { openRequestTransaction } from './request-transaction.ts'
import type { Transaction } from './schema.ts'

let database: Database
let close: () => Promise<void>
const organization = newId()

beforeAll(async () => {
  ;({ database, close } = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: inject('embeddedTemplate') }))
  await database.pool.query(`insert into organization (id, name, created_at) values ($1, 'Test', now())`, [organization])
})
afterAll(() => close())

const addContact = (trx: Transaction, firstName: string, id = newId()) => {
  const [now, values] = [new Date(), { organization_id: organization, id, first_name: firstName, last_name: 'Test', tags: [] }]
  return trx.insertInto('contact').values({ ...values, created_at: now, updated_at: now })
}
const divideByZero = (trx: Transaction) => sql`select 1 / (select count(*) from contact where false)`.compile(trx)
const run = <T>(fn: (trx: Transaction) => Promise<T>): Promise<T> => database.transaction(organization, fn)
const count = async (firstName: string): Promise<number> =>
  (await database.select(organization, (db) => db.selectFrom('contact').select('id').where('first_name', '=', firstName))).length

/** Returns the texts of the statements that are sent while `fn` runs, without those of the queue that an app of another test file has. */
async function sentBy(fn: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const stop = onStatement(({ text }) => {
    if (!text.includes('pgboss.')) sent.push(text)
  })
  await fn().finally(stop)
  return sent
}

describe('a deferred statement', () => {
  it('is sent with the next statement or the commit, in order', async () => {
    const steps: string[] = []
    const stop = onStatement(({ text }) => steps.push(text))
    await run(async (trx) => {
      await sql`select 1`.execute(trx)
      await defer(trx, sql`select 2`.compile(trx))
      steps.push('deferred')
      await sql`select 3`.execute(trx)
      await defer(trx, sql`select 4`.compile(trx))
      steps.push('ending')
    }).finally(stop)
    expect(steps).toEqual(['select 1', 'deferred', 'select 2', 'select 3', 'ending', 'select 4', 'commit'])
  })

  it('is kept with the transaction, also as its first or only statement', async () => {
    await run((trx) => defer(trx, addContact(trx, 'only').compile()))
    await run(async (trx) => {
      await defer(trx, addContact(trx, 'first').compile())
      await defer(trx, addContact(trx, 'second').compile())
      expect(await trx.selectFrom('contact').select('id').where('first_name', 'in', ['first', 'second']).execute()).toHaveLength(2)
    })
    expect([await count('only'), await count('first'), await count('second')]).toEqual([1, 1, 1])
  })

  it('rejects the transaction with its own error, not with those of the statements behind it', async () => {
    const before = run(async (trx) => {
      await sql`select 1`.execute(trx)
      await defer(trx, divideByZero(trx))
      await addContact(trx, 'behind').execute()
    })
    await expect(before).rejects.toMatchObject({ code: '22012' })
    const atCommit = run(async (trx) => {
      await addContact(trx, 'behind').execute()
      await defer(trx, divideByZero(trx))
    })
    await expect(atCommit).rejects.toMatchObject({ code: '22012' })
    expect(await count('behind')).toBe(0)
  })

  it('rejects the transaction also if the error of the statement behind it is caught', async () => {
    const caught = run(async (trx) => {
      await addContact(trx, 'caught').execute()
      await defer(trx, divideByZero(trx))
      await sql`select 1`.execute(trx).catch(() => undefined)
    })
    await expect(caught).rejects.toMatchObject({ code: '22012' })
    expect(await count('caught')).toBe(0)
  })

  it('that checks something prevents the commit', async () => {
    const onRows = (): never => {
      throw new Error('refused')
    }
    const checked = run(async (trx) => {
      await addContact(trx, 'checked').execute()
      await defer(trx, sql`select 1`.compile(trx), { onRows, isCheck: true })
      await defer(trx, sql`select 2`.compile(trx))
    })
    await expect(checked).rejects.toThrow('refused')
    expect(await count('checked')).toBe(0)
  })

  it('is not sent after the transaction has failed or has ended', async () => {
    const sent = await sentBy(async () => {
      const failed = run(async (trx) => {
        await sql`select 1`.execute(trx)
        await defer(trx, sql`select 2`.compile(trx))
        throw new Error('failed')
      })
      await expect(failed).rejects.toThrow('failed')
    })
    expect(sent).toEqual(['select 1', 'rollback'])
    const ended = await run(async (trx) => {
      await sql`select 1`.execute(trx)
      return trx
    })
    await expect(defer(ended, addContact(ended, 'late').compile())).rejects.toThrow('the transaction has ended')
  })
})

describe('a part of a transaction', () => {
  it('is undone alone, whether its statements were sent or not', async () => {
    const listened: string[] = []
    await run(async (trx) => {
      await addContact(trx, 'kept').execute()
      const [sent, unsent] = ['sent', 'unsent']
      for (const name of [sent, unsent]) {
        const part = await beginPart(trx)
        await defer(trx, addContact(trx, name).compile())
        afterCommit(trx, () => listened.push(name))
        if (name === sent) await sql`select 1`.execute(trx)
        part.rollBack()
      }
      const last = await beginPart(trx)
      afterCommit(trx, () => listened.push('last'))
      await addContact(trx, 'last').execute()
      last.release()
    })
    expect([await count('kept'), await count('sent'), await count('unsent'), await count('last')]).toEqual([1, 0, 0, 1])
    expect(listened).toEqual(['last'])
  })

  it('of a request transaction costs no exchange of its own', async () => {
    const sent = await sentBy(async () => {
      const transaction = openRequestTransaction(database, organization, {
        repeatableRead: false,
        first: async (trx) => void (await sql`select 'first'`.execute(trx)),
      })
      await transaction.db.transaction(organization, (trx) => addContact(trx, 'part').execute())
      await expect(transaction.db.transaction(organization, (trx) => trx.executeQuery(divideByZero(trx)))).rejects.toThrow('division')
      await transaction.commit()
    })
    expect(sent.map((text) => text.replace(/ into "contact".*/, ''))).toEqual([
      `select 'first'`,
      'savepoint part',
      'insert',
      'release savepoint part',
      'savepoint part',
      expect.stringContaining('select 1 /'),
      'rollback to savepoint part',
      'commit',
    ])
    expect(await count('part')).toBe(1)
  })
})

describe('a listener for the commit', () => {
  it('is not called when the transaction fails', async () => {
    let calls = 0
    const failed = run(async (trx) => {
      await sql`select 1`.execute(trx)
      afterCommit(trx, () => (calls += 1))
      await defer(trx, divideByZero(trx))
    })
    await expect(failed).rejects.toMatchObject({ code: '22012' })
    expect(calls).toBe(0)
  })
})
