import type { Usage } from '@groundwork/api'
import { bytes, number } from './formats.ts'

/** Formats an amount of a resource with a quota. */
export const amountOf = (resource: keyof Usage, amount: number): string => (resource === 'storageBytes' ? bytes(amount) : number(amount))
