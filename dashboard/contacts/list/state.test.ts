import type { ContactView, SearchFilter } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { listSearch, type ListState } from './search.ts'
import { countFilters, defaultColumns, filterOf, isFiltered, isSameList, stateOf, stateOfView } from './state.ts'

const view = (filter: SearchFilter | null, more: Partial<ContactView> = {}): ContactView => ({
  id: 'view_1',
  name: 'View',
  filter,
  q: null,
  sort: '-createdAt',
  columns: [...defaultColumns],
  shared: false,
  ownerId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...more,
})

describe('the state of the list of contacts', () => {
  it.each<ListState>([
    {},
    { tag: ['vip'] },
    { tag: ['vip', 'autumn'], owner: 'usr_1', from: '2026-03-28', until: '2026-03-29' },
    { is: { companyId: 'cmp_1', 'consent.email': 'granted', 'customFields.cf_1': 52.5, 'customFields.cf_2': true } },
    { others: [{ key: 'jobTitle', eq: 'Buyer' }], tag: ['vip'] },
    {
      others: [
        {
          or: [
            { key: 'tags', eq: 'a' },
            { key: 'tags', eq: 'b' },
          ],
        },
      ],
    },
    { q: 'ada', columns: ['name', 'email'] },
    { sort: 'name', columns: ['name', 'email'] },
  ])('%j survives being saved', (state) => {
    const saved = view(filterOf(state) ?? null, {
      ...(state.q !== undefined && { q: state.q, sort: null }),
      ...(state.sort !== undefined && { sort: state.sort }),
      ...(state.columns !== undefined && { columns: state.columns }),
    })
    expect(isSameList(stateOfView(saved), state)).toBe(true)
    expect(JSON.parse(JSON.stringify(stateOfView(saved)))).toEqual(state)
  })

  it('has no order of its own with a search text', () => {
    expect(isSameList(stateOfView(view(null, { q: 'ada', sort: null })), { q: 'ada', sort: 'name' })).toBe(true)
  })

  it('keeps conditions that no filter of the page means', () => {
    for (const filter of [
      { key: 'tags', in: ['a', 'b'] },
      { key: 'language', in: ['de', 'en'] },
      { key: 'createdAt', gte: '2026-01-01T12:34:56.000Z' },
      { key: 'createdAt', gte: '2026-01-01T00:00:00Z', lt: '2027-01-01T00:00:00Z' },
      { not: { key: 'tags', eq: 'vip' } },
    ]) {
      expect(filterOf(stateOfView(view(filter)))).toEqual(filter)
      expect(countFilters(stateOfView(view(filter)))).toBe(1)
    }
  })

  it('is that of the view until it is edited', () => {
    const views = [view({ key: 'tags', eq: 'vip' }, { sort: 'name' })]
    expect(stateOf({ view: 'view_1' }, views)).toMatchObject({ tag: ['vip'], sort: 'name' })
    expect(isFiltered(stateOf({ view: 'view_1', edited: true }, views))).toBe(false)
    expect(isFiltered(stateOf({ view: 'view_2' }, views))).toBe(false)
  })

  it('drops invalid search parameters', () => {
    const search = listSearch({
      edited: 'x',
      tag: [{}],
      from: '2026-13-01',
      others: ['x'],
      is: { jobTitle: 'x', language: [] },
      sort: 'email',
      columns: '',
    })
    expect(Object.values(search).filter((value) => value !== undefined)).toEqual([])
  })
})
