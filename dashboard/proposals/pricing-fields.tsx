import { Checkbox, SegmentedControl } from '@mantine/core'
import { DecimalInput } from '../shell/decimal-input.tsx'
import type { Form } from '../shell/form.ts'
import { useMessages } from '../messages/messages.ts'
import { ItemsEditor } from './items-editor.tsx'
import type { ProposalValues } from './proposal-body.ts'
import { proposalMessages } from './messages.ts'

/** Inputs for the lines and the discount on the whole, or for a single total. */
export function PricingFields({ form, currency }: { form: Form<ProposalValues>; currency: string }) {
  const { form: words } = useMessages(proposalMessages)
  const { values, set, errorOf } = form
  return (
    <>
      <SegmentedControl
        aria-label={words.pricing}
        data={[
          { value: 'lines', label: words.byLines },
          { value: 'sum', label: words.bySum },
        ]}
        value={values.priced}
        onChange={(priced) => set('priced', priced)}
      />
      {values.priced === 'lines' ? (
        <>
          <Checkbox label={words.pricesIncludeTax} {...form.flag('pricesIncludeTax')} />
          <ItemsEditor
            items={values.items}
            onChange={(items) => set('items', items)}
            errorOf={errorOf}
            currency={currency}
            pricesIncludeTax={values.pricesIncludeTax}
          />
          <DecimalInput
            label={words.discountOnWhole}
            description={words.discountOnWholeHelp}
            {...form.field('discount')}
            error={errorOf('discount') ?? errorOf('discountPercent')}
          />
        </>
      ) : (
        <DecimalInput label={words.totalAmount} description={words.amountHelp} {...form.field('totalAmount')} required />
      )}
    </>
  )
}
