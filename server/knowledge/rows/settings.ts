import { defaultRagSettings, RagSettings, type RagSettingsInput, type RagSettingsOverride } from '@groundwork/api'
import { AppError } from '../../lib/errors.ts'
import type { ChunkingSettings } from '../chunk/chunk.ts'
import type { Embedder } from '../embed/embedder.ts'

/**
 * Applies changes to settings. A default overlap follows a smaller chunk size, so that changing the chunk size alone is enough.
 * @param field the position of the changes in the request; empty if they are the request
 * @throws AppError `validation_error` unless the overlap is less than half of the chunk size
 */
export function mergeSettings(
  before: RagSettings | null,
  changes: RagSettingsInput | RagSettingsOverride | undefined,
  field: string,
): RagSettings {
  const merged = { ...defaultRagSettings, ...before, ...withoutUndefined(changes ?? {}) }
  if (changes?.chunkOverlap === undefined && merged.chunkOverlap * 2 >= merged.chunkSize)
    merged.chunkOverlap = Math.floor(merged.chunkSize / 8)
  if (merged.chunkOverlap * 2 >= merged.chunkSize) {
    const at = field === '' ? 'chunkOverlap' : `${field}.chunkOverlap`
    throw new AppError('validation_error', `${at} must be less than half of chunkSize (${merged.chunkSize})`, { field: at })
  }
  return merged
}

/** Removes undefined values, so that they do not overwrite others. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** Parses the stored settings of a knowledge base. */
export function storedSettings(stored: unknown): RagSettings {
  return RagSettings.parse(stored)
}

export function chunkingOf(settings: RagSettings): ChunkingSettings {
  return { strategy: settings.chunkingStrategy, size: settings.chunkSize, overlap: settings.chunkOverlap }
}

/** Returns the index configuration: sources with equal text and equal configuration have equal indexes. */
export const indexConfig = (
  { model, dimensions }: Pick<Embedder, 'model' | 'dimensions'>,
  { strategy, size, overlap }: ChunkingSettings,
): string => JSON.stringify([model, dimensions, strategy, size, overlap])
