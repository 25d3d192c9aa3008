import { expect, it } from 'vitest'
import { withoutTitles } from './name-titles.ts'

it.each([
  ['Mr. John Smith', 'John Smith'],
  ['Smith, Dr John', 'Smith John'],
  ['Herr Prof. Dr. rer. nat. Müller', 'Müller'],
  ['Dipl.-Ing. Ada King', 'Ada King'],
  ['Dipl-Ing Ada King', 'Ada King'],
  ['Señora García', 'García'],
  ['M. Dupont', 'Dupont'],
  ['г-н Иванов', 'Иванов'],
  ['山田様', '山田'],
  ['田中 さん', '田中'],
  ['王先生', '王'],
  ['Don Draper', 'Draper'],
  ['John Smith', undefined],
  ['Jean-Pierre Dupont', undefined],
  ['Phil Collins', undefined],
  ['Dr.', undefined],
  ['先生', undefined],
  ['mr.smith@example.com', undefined],
])('%s is %s', (name, expected) => expect(withoutTitles(name)).toBe(expected))
