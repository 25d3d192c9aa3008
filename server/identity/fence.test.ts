import { Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'

const service = await testApp()
const { database, organization } = service
const library = new Kysely({ dialect: database.identity })
const refused = { code: '42501' }

describe('queries of an organization', () => {
  it.each(['user', 'session', 'account', 'verification', 'two_factor', 'rate_limit', 'setup'])('cannot read %s', async (table) => {
    const { organizationId } = await organization()
    const read = database.transaction(organizationId, (trx) => sql`select 1 from identity.${sql.id(table)}`.execute(trx))
    await expect(read).rejects.toMatchObject(refused)
  })

  it("cannot read memberships or organizations through another user's session", async () => {
    const [own, other] = [await organization(), await organization()]
    await person(service, { [other.organizationId]: 'owner' })
    const { cookie } = await person(service, { [own.organizationId]: 'viewer' })
    const token = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? ''
    await database.presenting({ kind: 'session_token', value: Buffer.from(token) }, async (trx) => {
      expect(await trx.selectFrom('membership').select('organization_id').execute()).toEqual([{ organization_id: own.organizationId }])
      expect(await trx.selectFrom('organization').select('id').execute()).toEqual([{ id: own.organizationId }])
      expect(await trx.selectFrom('contact').select('id').execute()).toEqual([])
      const raised = await trx.updateTable('membership').set({ role: 'owner' }).executeTakeFirst()
      expect(raised.numUpdatedRows).toBe(0n)
    })
  })
})

describe('queries of better-auth', () => {
  it.each(['contact', 'proposal', 'source', 'organization', 'membership', 'api_token', 'audit_entry'])('cannot read %s', async (table) => {
    await expect(sql`select 1 from public.${sql.id(table)}`.execute(library)).rejects.toMatchObject(refused)
  })

  it('can read their own tables except the setup token', async () => {
    const { userId } = await person(service)
    const { rows } = await sql`select id from "user" where id = ${userId}`.execute(library)
    expect(rows).toEqual([{ id: userId }])
    await expect(sql`select 1 from setup`.execute(library)).rejects.toMatchObject(refused)
  })

  it('run in atomic transactions and reset the role afterwards', async () => {
    const { userId } = await person(service)
    const broken = library.transaction().execute(async (trx) => {
      await sql`update "user" set name = 'Other' where id = ${userId}`.execute(trx)
      await sql`select 1 from public.contact`.execute(trx)
    })
    await expect(broken).rejects.toMatchObject(refused)
    const { rows } = await database.pool.query(`select name, current_user as role from identity."user" where id = $1`, [userId])
    expect(rows[0].name).toBe('Robin Moss')
    expect(rows[0].role).not.toBe('groundwork_identity')
  })
})
