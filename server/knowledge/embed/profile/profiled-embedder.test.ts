import { mkdtemp, rm, writeFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Embedder } from '../embedder.ts'
import { measureSeparation, profileOf } from './measure-profile.ts'
import { probeSentences } from './probe-sentences.ts'
import { profiledEmbedder } from './profiled-embedder.ts'

const log = { info: vi.fn<() => void>(), warn: vi.fn<() => void>() }
const languages = Object.keys(probeSentences)

/**
 * An embedder that knows the meaning of sentences in some languages. All its vectors share a component, which gives unrelated ones the
 * cosine `floor`.
 */
function knowing(known: readonly string[], floor = 0): { embedder: Embedder; calls: () => number } {
  let calls = 0
  const dimensions = 2 + Math.max(...Object.values(probeSentences).map((pairs) => pairs.length))
  const meanings = new Map(
    languages.flatMap((language) =>
      (probeSentences[language] ?? []).flatMap((pair, at) =>
        pair.map((sentence) => [sentence, known.includes(language) ? at + 1 : dimensions - 1]),
      ),
    ),
  )
  const embedder: Embedder = {
    model: `knowing-${known.join()}@1/float32`,
    dimensions,
    embed: async (texts) => {
      calls += 1
      return texts.map((text) => {
        const vector = new Float32Array(dimensions)
        vector[0] = Math.sqrt(floor)
        vector[meanings.get(text) ?? 0] = Math.sqrt(1 - floor)
        return vector
      })
    },
    competence: () => 1,
    close: async () => undefined,
  }
  return { embedder, calls: () => calls }
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'profiles-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

test('every language has as many different pairs of sentences', () => {
  expect(languages.length).toBeGreaterThan(24)
  for (const language of languages) {
    const sentences = (probeSentences[language] ?? []).flat()
    expect([language, new Set(sentences).size]).toEqual([language, 10])
  }
})

test('competence is 1 in languages that the model knows and 0 in others, whatever the cosine of unrelated texts', async () => {
  for (const floor of [0, 0.75]) {
    const profile = profileOf(await measureSeparation(knowing(['en', 'zh'], floor).embedder))
    expect(profile.unrelatedCosine).toBeCloseTo(floor, 2)
    for (const language of languages)
      expect([language, profile.competence[language]]).toEqual([language, ['en', 'zh'].includes(language) ? 1 : 0])
  }
})

test('a model is measured once, and the next start reads the result', async () => {
  const { embedder, calls } = knowing(['de'], 0.5)
  const options = { folder: await folder(), wait: true, log }
  for (let start = 0; start < 3; start++) {
    const profiled = await profiledEmbedder(embedder, options)
    expect([profiled.competence('de'), profiled.competence('en'), profiled.unrelatedCosine]).toEqual([1, 0, 0.5])
    expect([profiled.competence('eo'), profiled.competence(null)]).toEqual([0, 1])
  }
  expect(calls()).toBe(2)
  const other = knowing(['en'])
  expect((await profiledEmbedder(other.embedder, options)).competence('en')).toBe(1)
  expect(other.calls()).toBe(2)
})

test('a model that knows no language is taken as it is', async () => {
  const profiled = await profiledEmbedder(knowing([], 0.4).embedder, { folder: await folder(), wait: true, log })
  expect([profiled.competence('en'), profiled.competence(null), profiled.unrelatedCosine]).toEqual([1, 1, 0])
})

test('a damaged result is measured again', async () => {
  const options = { folder: await folder(), wait: true, log }
  await profiledEmbedder(knowing(['en']).embedder, options)
  for (const name of await readdir(options.folder)) await writeFile(join(options.folder, name), '{"version":1')
  const { embedder, calls } = knowing(['en'])
  expect((await profiledEmbedder(embedder, options)).competence('en')).toBe(1)
  expect(calls()).toBe(2)
})

test('an endpoint that fails does not fail the start, and is asked again at the next one only', async () => {
  const embed = vi.fn<Embedder['embed']>(() => Promise.reject(new Error('down')))
  const failing: Embedder = { ...knowing([]).embedder, embed }
  const path = await folder()
  const profiled = await profiledEmbedder(failing, { folder: path, wait: false, log })
  expect([profiled.competence('de'), profiled.unrelatedCosine]).toEqual([1, 0])
  await profiled.close()
  expect(embed).toHaveBeenCalledTimes(1)
  expect(await readdir(path)).toEqual([])
})

test('an endpoint is measured in the background', async () => {
  const { embedder } = knowing(['fr'])
  const profiled = await profiledEmbedder(embedder, { folder: await folder(), wait: false, log })
  await vi.waitUntil(() => profiled.competence('de') === 0, { timeout: 120_000 })
  expect(profiled.competence('fr')).toBe(1)
  await profiled.close()
})
