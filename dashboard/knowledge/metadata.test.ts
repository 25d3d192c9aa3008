import { expect, test } from 'vitest'
import { metadataChanges, metadataRows } from './metadata.ts'

test('metadata is unchanged after a round trip through the form', () => {
  const metadata = { product: 'bicycle', price: 12.5, draft: false, tags: ['a', 'b'], code: '0123', year: '2026', quoted: '"x"' }
  expect(metadataChanges(metadata, metadataRows(metadata))).toEqual(metadata)
})

test('a removed row clears its key, and a row without a key is ignored', () => {
  const second = { id: 1, key: 'b' }
  expect(
    metadataChanges({ a: 'x', b: 'y' }, [
      { ...second, value: '7' },
      { id: 9, key: ' ', value: 'z' },
    ]),
  ).toEqual({ a: null, b: 7 })
})
