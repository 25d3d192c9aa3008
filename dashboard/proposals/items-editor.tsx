import { ActionIcon, Button, Checkbox, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { money } from '../lib/formats.ts'
import { useMessages } from '../messages/messages.ts'
import { emptyItem, type DraftItem } from './draft-item.ts'
import { amountOfLine } from './totals.ts'
import { proposalMessages } from './messages.ts'

interface ItemsEditorProps {
  items: DraftItem[]
  onChange: (items: DraftItem[]) => void
  /** Returns the error of a field by its API path, such as `items.0.unitPrice`. */
  errorOf: (path: string) => string | undefined
  currency: string
  pricesIncludeTax: boolean
}

const maxLines = 200

export function ItemsEditor({ items, onChange, errorOf, currency, pricesIncludeTax }: ItemsEditorProps) {
  const { form: words } = useMessages(proposalMessages)
  return (
    <Stack gap="sm">
      {items.map((item, index) => (
        <Line
          key={item.key}
          item={item}
          index={index}
          errorOf={errorOf}
          currency={currency}
          pricesIncludeTax={pricesIncludeTax}
          onChange={(changed) => onChange(items.with(index, changed))}
          onRemove={items.length === 1 ? undefined : () => onChange(items.toSpliced(index, 1))}
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={items.length >= maxLines}
          onClick={() => onChange([...items, emptyItem()])}
        >
          {words.addLine}
        </Button>
      </Group>
    </Stack>
  )
}

interface LineProps {
  item: DraftItem
  index: number
  errorOf: ItemsEditorProps['errorOf']
  currency: string
  pricesIncludeTax: boolean
  onChange: (item: DraftItem) => void
  onRemove: (() => void) | undefined
}

type TextField = 'description' | 'quantity' | 'unitPrice' | 'discount' | 'taxes'

/** API fields whose errors appear at an input. */
export const errorFields: Readonly<Record<TextField, readonly string[]>> = {
  description: ['description'],
  quantity: ['quantity'],
  unitPrice: ['unitPrice'],
  discount: ['discount', 'discountPercent'],
  taxes: ['taxRate', 'taxes', ...[0, 1, 2].flatMap((tax) => [`taxes.${tax}.name`, `taxes.${tax}.rate`])],
}

function Line({ item, index, errorOf, currency, pricesIncludeTax, onChange, onRemove }: LineProps) {
  const { form: words } = useMessages(proposalMessages)
  const amount = amountOfLine(item, currency, pricesIncludeTax)
  const field = (name: TextField, required = false, placeholder = '') => (
    <TextInput
      label={words[name]}
      value={item[name]}
      onChange={(event) => onChange({ ...item, [name]: event.currentTarget.value })}
      error={errorFields[name].map((path) => errorOf(`items.${index}.${path}`)).find((error) => error !== undefined)}
      {...((name === 'quantity' || name === 'unitPrice') && { inputMode: 'decimal' as const })}
      required={required}
      placeholder={placeholder}
    />
  )
  return (
    <Paper withBorder p="sm" component="fieldset" aria-label={words.line(index + 1)} m={0} miw={0}>
      <Stack gap="xs">
        {field('description', true)}
        <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs">
          {field('quantity', true)}
          {field('unitPrice', true)}
          {field('discount', false, words.discountHelp)}
          {field('taxes', false, words.taxHelp)}
        </SimpleGrid>
        {errorOf(`items.${index}`) !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {errorOf(`items.${index}`)}
          </Text>
        )}
        <Group justify="space-between">
          <Group>
            <Checkbox
              label={words.optional}
              checked={item.optional}
              onChange={(event) => onChange({ ...item, optional: event.currentTarget.checked })}
            />
            {item.optional && (
              <Checkbox
                label={words.preselected}
                checked={item.preselected}
                onChange={(event) => onChange({ ...item, preselected: event.currentTarget.checked })}
              />
            )}
          </Group>
          <Group gap="xs">
            <Text size="sm">
              {words.lineTotal}: <strong>{amount === undefined ? words.incomplete : shownAmount(amount, currency)}</strong>
            </Text>
            {onRemove && (
              <ActionIcon size={36} variant="subtle" color="gray" aria-label={words.removeLine(index + 1)} onClick={onRemove}>
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        </Group>
      </Stack>
    </Paper>
  )
}

/** Formats an amount, without a currency symbol while the currency is unknown. */
export const shownAmount = (amount: string, currency: string): string => (currency === '' ? amount : money(amount, currency))
