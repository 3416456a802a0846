import { getLocal } from 'mockttp';

type Json = Record<string, unknown>;

export interface ToolCall {
	name: string;
	arguments?: Json;
}

export interface Tool {
	name: string;
	description: string;
	parameters: { properties: Record<string, Json>; required?: string[] };
}

interface ChatRequest {
	messages: Array<{ role: string; content: unknown; tool_call_id?: string }>;
	tools?: Array<{ type: 'function'; function: Tool }>;
}

const toToolCall = ({ name, arguments: given = {} }: ToolCall) => ({
	id: `call_${crypto.randomUUID()}`,
	type: 'function',
	function: { name, arguments: JSON.stringify(given) },
});

/** A completion of OpenAI's chat completions API. */
const toCompletion = (call: ToolCall | undefined) => ({
	id: `chatcmpl-${crypto.randomUUID()}`,
	object: 'chat.completion',
	created: Math.floor(Date.now() / 1_000),
	model: 'stand-in',
	choices: [
		{
			index: 0,
			message: call
				? { role: 'assistant', content: null, tool_calls: [toToolCall(call)] }
				: { role: 'assistant', content: 'Done.' },
			finish_reason: call ? 'tool_calls' : 'stop',
		},
	],
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** Stands in for a language model: makes the tool calls that it is told to, one after the other, then says that it is done. */
export async function startModel() {
	const server = getLocal();
	await server.start();
	const requests: ChatRequest[] = [];
	let calls: ToolCall[] = [];
	await server.forPost('/v1/chat/completions').thenCallback(async ({ body }) => {
		requests.push((await body.getJson()) as ChatRequest);
		return { json: toCompletion(calls.shift()) };
	});

	return {
		requests,
		/** For n8n. */
		credential: {
			name: 'Model',
			type: 'openAiApi',
			data: { apiKey: 'sk-stand-in', url: server.urlFor('/v1'), header: false },
		},
		close: async () => await server.stop(),

		/** Forgets what was asked so far. */
		willCall(...next: ToolCall[]) {
			requests.length = 0;
			calls = next;
		},
	};
}
