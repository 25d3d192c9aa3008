import { ActionIcon, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { money } from '../lib/formats.ts'
import { useMessages } from '../messages/messages.ts'
import { DecimalInput } from '../shell/decimal-input.tsx'
import type { DraftItem } from './draft-item.ts'
import { LineChoices } from './line-choices.tsx'
import { LineTaxes } from './line-taxes.tsx'
import { amountOfLine } from './totals.ts'
import { proposalMessages } from './messages.ts'

/** What the parts of a line editor take. */
export interface LineProps {
  item: DraftItem
  onChange: (item: DraftItem) => void
  /** Returns the error of a field by its API path within the line, such as `unitPrice`; without a path, that of the whole line. */
  errorOf: (field?: string) => string | undefined
}

interface LineEditorProps extends LineProps {
  index: number
  /** Groups of all lines. */
  groups: readonly string[]
  currency: string
  pricesIncludeTax: boolean
  onRemove: (() => void) | undefined
}

type NumberField = 'quantity' | 'unitPrice' | 'discount'

/** API fields of a line whose errors appear at an input. */
export const lineFields: readonly string[] = [
  'description',
  'quantity',
  'unitPrice',
  'discount',
  'discountPercent',
  'taxRate',
  'taxes',
  ...[0, 1, 2].flatMap((tax) => [`taxes.${tax}.name`, `taxes.${tax}.rate`]),
  'optional',
  'preselected',
  'group',
  'quantityRange',
  'quantityRange.min',
  'quantityRange.max',
  'quantityRange.step',
]

/** Edits a line: its price, taxes, discount, and what the client may choose. */
export function LineEditor({ item, index, groups, errorOf, currency, pricesIncludeTax, onChange, onRemove }: LineEditorProps) {
  const { form: words } = useMessages(proposalMessages)
  const amount = amountOfLine(item, currency, pricesIncludeTax)
  const number = (name: NumberField, required = false, placeholder = '') => (
    <DecimalInput
      label={words[name]}
      value={item[name]}
      onChange={(value) => onChange({ ...item, [name]: value })}
      error={errorOf(name) ?? (name === 'discount' ? errorOf('discountPercent') : undefined)}
      required={required}
      placeholder={placeholder}
    />
  )
  return (
    <Paper withBorder p="sm" component="fieldset" aria-label={words.line(index + 1)} m={0} miw={0}>
      <Stack gap="xs">
        <TextInput
          label={words.description}
          value={item.description}
          onChange={({ currentTarget }) => onChange({ ...item, description: currentTarget.value })}
          error={errorOf('description')}
          required
        />
        <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs">
          {number('quantity', true)}
          {number('unitPrice', true)}
          {number('discount', false, words.discountHelp)}
        </SimpleGrid>
        <LineTaxes item={item} onChange={onChange} errorOf={errorOf} />
        <LineChoices item={item} groups={groups} onChange={onChange} errorOf={errorOf} />
        {errorOf() !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {errorOf()}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Text size="sm">
            {words.lineTotal}: <strong>{amount === undefined ? words.incomplete : shownAmount(amount, currency)}</strong>
          </Text>
          {onRemove && (
            <ActionIcon size={36} variant="subtle" color="gray" aria-label={words.removeLine(index + 1)} onClick={onRemove}>
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

/** Formats an amount, without a currency symbol while the currency is unknown. */
export const shownAmount = (amount: string, currency: string): string => (currency === '' ? amount : money(amount, currency))
