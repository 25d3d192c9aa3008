import { wireId } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp } from '../testing/app.ts'
import { ensureOrganization } from './organizations.ts'

const { database } = await testApp()
const ensure = (name: string) => ensureOrganization(database.pool, name, new Date())

describe('an organization of the command line', () => {
  it('is found by its name, slug or id, also in another case', async () => {
    const unique = newId().slice(-12)
    const name = `Müller & Söhne ${unique}`
    const { id, created } = await ensure(name)
    expect(created).toBe(true)
    const others = [
      name.toUpperCase(),
      `muller-sohne-${unique}`,
      `Muller-Sohne-${unique}`,
      id,
      wireId('org', id),
      `ORG_${id.toUpperCase()}`,
    ]
    for (const other of [name, ...others]) expect([other, await ensure(other)]).toEqual([other, { id, created: false }])
    // Concurrent calls create one.
    const made = await Promise.all(['new', 'NEW', 'New'].map((word) => ensure(`${word} ${unique}`)))
    expect(new Set(made.map((each) => each.id)).size).toBe(1)
  })

  it('is not created for an unknown id', async () => {
    const unknown = newId()
    for (const name of [unknown, wireId('org', unknown), 'org_unknown'])
      await expect(ensure(name)).rejects.toMatchObject({ name: 'UsageError', message: `There is no organization with the id ${name}.` })
  })

  it('is the one with exactly this name, if there are several', async () => {
    const unique = newId().slice(-12)
    const insert = async (name: string): Promise<string> => {
      const id = newId()
      await database.pool.query('insert into organization (id, name, created_at) values ($1, $2, now())', [id, name])
      return id
    }
    const [upper, lower] = [await insert(`ACME ${unique}`), await insert(`acme ${unique}`)]
    expect(await ensure(`acme ${unique}`)).toEqual({ id: lower, created: false })
    const ids = [`org_${upper}, org_${lower}`, `org_${lower}, org_${upper}`].join('|')
    await expect(ensure(`Acme ${unique}`)).rejects.toMatchObject({
      name: 'UsageError',
      // Both may have been created within one tick of the clock.
      message: expect.stringMatching(new RegExp(`^2 organizations are named Acme ${unique}\\. Use one of their ids: (?:${ids})$`)),
    })
  })
})
