import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

const node = { typeVersion: 1 };

/** The parameters that the editor shows for these values, defaults filled in, by name; or those inside a collection. */
export function shownParameters(
	{ description }: INodeType,
	values: INodeParameters,
	collection?: string,
): Map<string, INodeProperties> {
	const { properties } = description;
	const filled = NodeHelpers.getNodeParameters(properties, values, true, false, node, description)!;
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(filled, property, node, description, filled);
	const shown = properties.filter(isShown);
	const parts = shown.find(({ name }) => name === collection)?.options as INodeProperties[];
	return new Map((parts?.filter(isShown) ?? shown).map((property) => [property.name, property]));
}

/** The credential that the editor asks for with these values. */
export function shownCredentials({ description }: INodeType, values: INodeParameters): string[] {
	return description
		.credentials!.filter((credential) =>
			NodeHelpers.displayParameter(values, credential, { typeVersion: 1 }, description),
		)
		.map(({ name }) => name);
}

/** The options of a choice or a collection, with their values or names. */
export function optionsOf(property: INodeProperties | undefined): unknown[] {
	return (property?.options ?? []).map((option) =>
		'value' in option ? option.value : option.name,
	);
}
