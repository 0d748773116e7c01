// The parser of streamed responses, loaded with the first response: it pulls in web streams, which no request needs.
exports.EventSourceParserStream = function EventSourceParserStream(...args) {
  const loaded = require('eventsource-parser/stream');
  return new loaded.EventSourceParserStream(...args);
};
