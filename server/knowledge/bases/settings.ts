import { defaultRagSettings, RagSettings, type RagSettingsInput, type RagSettingsOverride } from '@groundwork/api'
import { AppError } from '../../lib/errors.ts'
import type { ChunkingSettings } from '../chunk/chunk.ts'

/**
 * Settings with changes laid over them. An overlap that was not chosen follows a smaller chunk size, so that asking
 * for small chunks alone is enough.
 * @param field where the changes stand in the request; empty where they are all of it
 * @throws AppError `validation_error` when the overlap is not less than half of the chunk size
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
    throw new AppError('validation_error', `${at}: must be less than half of chunkSize (${merged.chunkSize})`, { field: at })
  }
  return merged
}

/** Drops keys without a value, so that they do not overwrite what is there. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** Settings as stored with a base. */
export function storedSettings(stored: unknown): RagSettings {
  return RagSettings.parse(stored)
}

export function chunkingOf(settings: RagSettings): ChunkingSettings {
  return { strategy: settings.chunkingStrategy, size: settings.chunkSize, overlap: settings.chunkOverlap }
}
