import { expect, test } from 'vitest'
import { counted, messagesOf } from './messages.ts'

test('selects the plural form of a number', () => {
  const sources = counted('en')({ one: '# source', other: '# sources' })
  expect([0, 1, 2, 1200].map(sources)).toEqual(['0 sources', '1 source', '2 sources', '1,200 sources'])
})

test('isolates names in right-to-left scripts, at every depth', () => {
  const messages = messagesOf({
    en: { deleted: (name: string) => `${name} was deleted.`, of: { age: (name: string, age: number) => `${name}: ${age}` } },
  })
  expect(messages.deleted('Ada')).toBe('Ada was deleted.')
  expect(messages.deleted('ליאת')).toBe('\u2068ליאת\u2069 was deleted.')
  expect(messages.of.age('نور', 3)).toBe('\u2068نور\u2069: 3')
})

test('messages keep their identity, so that hooks can depend on them', () => {
  const catalog = { en: { of: { name: (name: string) => name } } }
  expect(messagesOf(catalog)).toBe(messagesOf(catalog))
  expect(messagesOf(catalog).of.name).toBe(messagesOf(catalog).of.name)
})
