// The reader of streamed answers, loaded with the first one: it is built on web streams, which no request needs.
exports.EventSourceParserStream = function EventSourceParserStream(...given) {
  const loaded = require('../../../node_modules/eventsource-parser/dist/stream.js');
  return new loaded.EventSourceParserStream(...given);
};
