import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { z } from 'zod'
import { nullIfMissing } from '../../../lib/missing-file.ts'
import type { Embedder } from '../embedder.ts'
import { measureSeparation, profileOf, type ModelProfile } from './measure-profile.ts'
import { modelFile } from './model-file.ts'

const Profile = z.object({
  version: z.literal(1),
  model: z.string(),
  unrelatedCosine: z.number().min(0).lt(1),
  competence: z.record(z.string(), z.number().min(0).max(1)),
})

export interface ProfileOptions {
  /** Folder of stored profiles, one file per model. */
  readonly folder: string
  /** Whether to wait for the measurement; otherwise it runs in the background, and the embedder has no profile until it is done. */
  readonly wait: boolean
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** A model is asked once per start at most; the time is for an endpoint that does not answer. */
const timeoutMs = 120_000

/**
 * Returns the embedder with its measured profile: `competence` and `unrelatedCosine`. Each model is measured once, and the result
 * is stored. If the measurement fails, `competence` is 1 in every language until the program restarts and measures again.
 */
export async function profiledEmbedder(embedder: Embedder, { folder, wait, log }: ProfileOptions): Promise<Embedder> {
  const closing = new AbortController()
  const file = modelFile(folder, embedder.model, 'json')
  let profile = await storedProfile(file, embedder.model)

  async function measure(): Promise<void> {
    try {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
      profile = profileOf(await measureSeparation(embedder, signal))
      log.info({ model: embedder.model, ...profile }, 'measured the embedding model')
      await store(folder, file, { version: 1, model: embedder.model, ...profile })
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ err: error, model: embedder.model }, 'the embedding model could not be measured')
    }
  }

  const measured = profile === undefined ? measure() : Promise.resolve()
  if (wait) await measured
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    embed: (texts, purpose, signal) => embedder.embed(texts, purpose, signal),
    load: async () => embedder.load?.(),
    recall: (query) => embedder.recall?.(query),
    expectedMs: () => embedder.expectedMs?.() ?? 0,
    get unrelatedCosine() {
      return profile?.unrelatedCosine ?? 0
    },
    competence: (language) => (profile === undefined ? 1 : competenceIn(profile, language)),
    async close() {
      closing.abort()
      await measured
      await embedder.close()
    },
  }
}

/** Texts without a recognized language are short: names, codes and labels. Languages that were not measured count as the median one. */
function competenceIn({ competence }: ModelProfile, language: string | null): number {
  const values = Object.values(competence).toSorted((a, b) => a - b)
  if (values.length === 0) return 1
  if (language === null) return Math.max(...values)
  return competence[language] ?? values[Math.floor(values.length / 2)] ?? 1
}

/** Returns undefined if the model has no stored profile, or an unusable one: then it is measured again. */
async function storedProfile(file: string, model: string): Promise<ModelProfile | undefined> {
  // A model that was never measured has no file.
  const text = await readFile(file, 'utf8').catch(nullIfMissing)
  if (text === null) return undefined
  const parsed = Profile.safeParse(jsonIn(text))
  return parsed.success && parsed.data.model === model ? parsed.data : undefined
}

/** Returns undefined for a damaged file. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Renames a complete file, since several programs can share the folder. */
async function store(folder: string, file: string, profile: z.input<typeof Profile>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, JSON.stringify(profile))
  await rename(unfinished, file)
}
