import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';

const node = { typeVersion: 1 };

/** The parameters that the editor shows for these values, defaults filled in; or those inside a collection. */
export function shownParameters(
	{ description }: INodeType,
	values: INodeParameters,
	collection?: string,
): INodeProperties[] {
	const { properties } = description;
	const filled = NodeHelpers.getNodeParameters(properties, values, true, false, node, description)!;
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(filled, property, node, description, filled);
	const shown = properties.filter(isShown);
	const parts = shown.find(({ name }) => name === collection)?.options as INodeProperties[];
	return parts?.filter(isShown) ?? shown;
}

/** The same, each with its default. */
export const shownDefaults = (...asked: Parameters<typeof shownParameters>) =>
	shownParameters(...asked).map((property) => [property.name, property.default]);

/** The options of a choice or a collection, with their values or names. */
export const optionsOf = ({ options = [] }: INodeProperties): unknown[] =>
	options.map((option) => ('value' in option ? option.value : option.name));
