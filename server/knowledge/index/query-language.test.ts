import { expect, it } from 'vitest'
import { likelyLanguages } from './query-language.ts'

it.each([
  ['How long is the warranty?', ['en', 'vi', 'de'], ['en']],
  ['Thời hạn bảo hành là bao lâu?', ['en', 'vi', 'de'], ['vi']],
  ['Wie lange dauert die Garantie?', ['en', 'vi', 'de'], ['de']],
  ['Was ist der Preis von „The Lord of the Rings“?', ['en', 'de'], ['en', 'de']],
  ['Who is Nguyễn Phú Trọng?', ['en', 'vi'], ['en', 'vi']],
  ['C’est l’eau qu’il faut', ['en', 'fr'], ['en', 'fr']],
  ['die casting', ['en', 'de'], ['en', 'de']],
  ['warranty', ['en', 'de'], ['en', 'de']],
  ['1042', ['en', 'de'], ['en', 'de']],
  ['', ['en'], ['en']],
  ['How long is the warranty?', [], []],
])('%s is in one of %j: %j', (query, languages, likely) => {
  expect(likelyLanguages(query, languages)).toEqual(likely)
})
