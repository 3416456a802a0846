import type { IDataObject } from 'n8n-workflow';
import type { Answer, ResponseEnvelope } from './transport/types';

export interface OutputOptions {
	/** False: the envelope as the API sent it. */
	simplify: boolean;
	answerKeys: 'label' | 'fieldId';
	answerValues: 'value' | 'rawValue';
}

/** `Name`, then `Name (2)`, `Name (3)`: no answer overwrites another. */
function freeKey(key: string, taken: Set<string>): string {
	let free = key;
	for (let count = 2; taken.has(free); count++) free = `${key} (${count})`;
	return free;
}

function answersByKey(answers: Answer[], { answerKeys, answerValues }: OutputOptions): IDataObject {
	const taken = new Set<string>();
	const entries = answers.map((answer) => {
		const key = freeKey(answer[answerKeys], taken);
		taken.add(key);
		return [key, answer[answerValues]];
	});
	// fromEntries defines properties, so that a label such as __proto__ is an ordinary key.
	return Object.fromEntries(entries) as IDataObject;
}

/** The JSON of the item that a completed Response becomes, in both nodes. */
export function toJson(envelope: ResponseEnvelope, options: OutputOptions): IDataObject {
	if (!options.simplify) return envelope as unknown as IDataObject;
	const { responseId, formId, formTitle, respondentEmail, completedAt, hiddenFields } =
		envelope.data;
	return {
		responseId,
		formId,
		formTitle,
		respondentEmail,
		completedAt,
		answers: answersByKey(envelope.data.answers, options),
		hiddenFields,
	};
}
