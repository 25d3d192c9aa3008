/** Handles the rejection of a file operation: returns null if the file does not exist, and throws any other error. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
