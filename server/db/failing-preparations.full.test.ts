import { answersWhilePreparationsFail } from '../testing/failing-preparations.ts'

await answersWhilePreparationsFail({ requests: 10_000, seed: 2 })
