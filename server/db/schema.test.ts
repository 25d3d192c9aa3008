import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'

const { database, organization } = await testApp()

interface Table {
  name: string
  owner: string
  secured: boolean
  policies: number
  partition: boolean
  columns: string[]
}

const { rows: tables } = await database.pool.query<Table>(`
  select c.relname as name, pg_get_userbyid(c.relowner) as owner, c.relrowsecurity as secured, c.relispartition as partition,
    (select count(*) from pg_policy p where p.polrelid = c.oid) as policies,
    (select array_agg(a.attname::text) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname <> 'migration'`)

describe('every table', () => {
  it('is looked at', () => {
    expect(tables.map((table) => table.name)).toEqual(
      expect.arrayContaining(['organization', 'api_token', 'contact', 'proposal', 'base', 'upload', 'source']),
    )
  })

  it.each(tables)(
    '$name belongs to an organization, which row-level security enforces',
    ({ name, owner, secured, policies, partition, columns }) => {
      expect(columns).toContain(name === 'organization' ? 'id' : 'organization_id')
      expect(secured).toBe(true)
      // A partition without a policy of its own shows nothing; its rows are reached through the parent, under the parent's.
      if (!partition) expect(policies).toBeGreaterThan(0)
      expect(owner).not.toBe('groundwork_app')
    },
  )
})

describe('groundwork_app', () => {
  it('can neither log in nor pass by row-level security', async () => {
    const { rows } = await database.pool.query(
      `select rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = 'groundwork_app'`,
    )
    expect(rows).toEqual([{ rolcanlogin: false, rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false }])
  })

  it('sees no row of any table without an organization, nor with one that does not exist', async () => {
    const { call } = await organization()
    await call('POST', '/v1/contacts', { email: 'a@example.com' })
    const client = await database.pool.connect()
    try {
      for (const setting of [`select 1`, `set local app.organization_id = ''`, `set local app.organization_id = '${newId()}'`]) {
        for (const { name } of tables) {
          await client.query(`begin; set local role groundwork_app; ${setting}; savepoint here`)
          const seen = await client.query(`select count(*) as n from ${name}`).then(
            ({ rows }) => rows[0].n,
            (error: { code: string }) => error.code,
          )
          await client.query('rollback')
          expect([name, seen]).toEqual([name, expect.toBeOneOf([0, '42501'])])
        }
      }
    } finally {
      client.release()
    }
  })

  it('writes no row of another organization', async () => {
    const [one, other] = [await organization(), await organization()]
    const values = { id: newId(), name: 'x', rag_settings: '{}', created_at: new Date(), updated_at: new Date() }
    const insert = database.transaction(one.organizationId, (trx) =>
      trx
        .insertInto('base')
        .values({ ...values, organization_id: other.organizationId })
        .execute(),
    )
    await expect(insert).rejects.toMatchObject({ code: '42501' })
    await database.transaction(one.organizationId, async (trx) => {
      expect(await trx.selectFrom('organization').select('id').execute()).toEqual([{ id: one.organizationId }])
      const { numUpdatedRows } = await trx
        .updateTable('organization')
        .set({ name: 'x' })
        .where('id', '=', other.organizationId)
        .executeTakeFirst()
      expect(numUpdatedRows).toBe(0n)
    })
  })

  it('changes no table', async () => {
    const { organizationId, ctx } = await organization()
    for (const statement of [
      'drop table contact',
      'alter table contact disable row level security',
      'create table mine (id int)',
      'truncate contact',
    ]) {
      await expect(ctx.db.transaction(organizationId, (trx) => sql.raw(statement).execute(trx))).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('is left behind when the transaction ends, with its organization', async () => {
    const { organizationId, ctx } = await organization()
    await ctx.db.transaction(organizationId, async () => undefined)
    await expect(ctx.db.transaction(organizationId, () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    const { rows } = await database.pool.query(`select current_user as name, current_setting('app.organization_id', true) as organization`)
    expect(rows[0].name).not.toBe('groundwork_app')
    expect(rows[0].organization ?? '').toBe('')
  })
})

describe('a transaction', () => {
  it('keeps all of what it changes or nothing', async () => {
    const { organizationId, ctx } = await organization()
    const values = {
      organization_id: organizationId,
      id: newId(),
      name: 'x',
      rag_settings: '{}',
      created_at: new Date(),
      updated_at: new Date(),
    }
    const failing = ctx.db.transaction(organizationId, async (trx) => {
      await trx.insertInto('base').values(values).execute()
      throw new Error('too late')
    })
    await expect(failing).rejects.toThrow('too late')
    expect(await ctx.db.transaction(organizationId, (trx) => trx.selectFrom('base').selectAll().execute())).toEqual([])
  })

  it('is refused for what is not an organization id', () => {
    expect(() => database.transaction(`'; drop table contact; --`, async () => undefined)).toThrow('an organization id is a UUID')
  })
})
