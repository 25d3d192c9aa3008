/** The arguments of an operator's command are invalid. The command exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
