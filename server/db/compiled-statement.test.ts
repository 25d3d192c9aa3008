import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { select } from '../context.ts'
import { testApp } from '../testing/app.ts'
import { compiledStatement } from './compiled-statement.ts'

const { organization } = await testApp()

it('builds a statement once and runs it with other values in another order of parameters', async () => {
  const { ctx, organizationId } = await organization()
  let built = 0
  const statement = compiledStatement((db, { text, id }: { id: string; text: string }) => {
    built += 1
    return db
      .selectFrom('organization')
      .select(['id', sql<string>`${text}::text || ${'!'}::text || ${text}::text`.as('twice')])
      .where('id', '=', id)
  })
  expect(await select(ctx, statement({ id: organizationId, text: 'a' }))).toEqual([{ id: organizationId, twice: 'a!a' }])
  expect(await select(ctx, statement({ text: 'b', id: organizationId }))).toEqual([{ id: organizationId, twice: 'b!b' }])
  expect(await select(ctx, statement({ text: 'b', id: '01a20878-f186-7eb7-8f80-df8123350b95' }))).toEqual([])
  expect(built).toBe(1)
})

it('builds a statement once for each set of defined values', async () => {
  const { ctx, organizationId } = await organization()
  let built = 0
  const statement = compiledStatement((db, { id, name }: { id: string; name: string | undefined }) => {
    built += 1
    const query = db.selectFrom('organization').select('id').where('id', '=', id)
    return name === undefined ? query : query.where('name', '=', name)
  })
  const found = [{ id: organizationId }]
  expect(await select(ctx, statement({ id: organizationId, name: undefined }))).toEqual(found)
  expect(await select(ctx, statement({ id: organizationId, name: 'of another' }))).toEqual([])
  expect(await select(ctx, statement({ id: organizationId, name: undefined }))).toEqual(found)
  expect(built).toBe(2)
})
