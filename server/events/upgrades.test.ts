import { Event, eventTypes } from '@groundwork/api'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toEvent } from './record.ts'
import { schemaVersion, upgraded, type Upgrade } from './upgrades.ts'

interface FrozenRow {
  readonly type: string
  readonly data: Record<string, unknown>
}

const folder = join(import.meta.dirname, 'frozen')
const id = '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'
const frozenRows = (version: number): FrozenRow[] => JSON.parse(readFileSync(join(folder, `version-${version}.json`), 'utf8'))
const versions = Array.from({ length: schemaVersion }, (_, index) => index + 1)

describe('stored events', () => {
  it('have frozen rows of every version, and of every type in each', () => {
    expect(readdirSync(folder).toSorted()).toEqual(versions.map((version) => `version-${version}.json`).toSorted())
    for (const version of versions) {
      const types = new Set(frozenRows(version).map(({ type }) => type))
      // Types that were added since the version have no rows of it.
      if (version === schemaVersion) expect(types).toEqual(new Set(eventTypes))
      expect(eventTypes).toEqual(expect.arrayContaining([...types]))
    }
  })

  it.each(versions)('of version %i fit the contract of today, with or without their record', (version) => {
    for (const { type, data } of frozenRows(version)) {
      for (const record_exists of [true, false]) {
        const event = toEvent({ id, type, data, schema_version: version, created_at: new Date(), record_exists })
        const { error } = Event.safeParse(event)
        expect([type, record_exists, error?.issues]).toEqual([type, record_exists, undefined])
      }
    }
  })

  it('are upgraded step by step from their version on', () => {
    const steps: Upgrade[] = [
      (_type, { name, ...data }) => ({ ...data, title: name }),
      (type, data) => (type === 'base.created' ? { ...data, kind: 'base' } : data),
    ]
    expect(upgraded('base.created', { name: 'a' }, 1, steps)).toEqual({ title: 'a', kind: 'base' })
    expect(upgraded('base.created', { title: 'a' }, 2, steps)).toEqual({ title: 'a', kind: 'base' })
    expect(upgraded('contact.created', { title: 'a' }, 3, steps)).toEqual({ title: 'a' })
    expect(upgraded('contact.created', { title: 'a' }, 4, steps)).toEqual({ title: 'a' })
  })
})
