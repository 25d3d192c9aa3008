import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { takeCopy, type EmbeddedCopy } from './embedded-pool.ts'

it.skipIf(inject('embeddedTemplate') === '')('a database that was given back has the rows and the sequences of the template', async () => {
  const stateOf = async ({ engine, giveBack }: EmbeddedCopy): Promise<unknown[]> => {
    const client = new pg.Client({ stream: () => engine.stream() })
    await client.connect()
    const { rows } = await client.query(
      `select nextval('source_generation') as generation, nextval('event_position') as position, (select count(*) from organization) as organizations`,
    )
    await client.query(`insert into organization (id, name, slug, created_at) values (gen_random_uuid(), 'Left', 'left', now())`)
    await client.end()
    await giveBack()
    return rows
  }
  const first = await takeCopy(inject('embeddedTemplate'))
  const before = await stateOf(first)
  const second = await takeCopy(inject('embeddedTemplate'))
  expect(second.engine).toBe(first.engine)
  expect(await stateOf(second)).toEqual(before)
})
