import { json } from 'node:stream/consumers';
import { listen } from './listen.mts';

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
	const requests: ChatRequest[] = [];
	let calls: ToolCall[] = [];
	const { port, close } = await listen((request, response) => {
		void json(request).then((body) => {
			requests.push(body as ChatRequest);
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(toCompletion(calls.shift())));
		});
	});

	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		requests,
		close,

		/** Forgets what was asked so far. */
		willCall(...next: ToolCall[]) {
			requests.length = 0;
			calls = next;
		},
	};
}

export type Model = Awaited<ReturnType<typeof startModel>>;
