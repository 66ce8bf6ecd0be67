"""Events as Protobuf, by the committed schema and Google's own library."""

import subprocess

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory


class Schema:
    def __init__(self, proto, folder):
        described = folder / "flyscreen.binpb"
        subprocess.run(
            ["protoc", f"-I{proto.parent}", "--include_imports", f"--descriptor_set_out={described}", proto.name],
            check=True)
        pool = descriptor_pool.DescriptorPool()
        for file in descriptor_pb2.FileDescriptorSet.FromString(described.read_bytes()).file:
            pool.Add(file)
        self._event = message_factory.GetMessageClass(pool.FindMessageTypeByName("flyscreen.v1.Event"))
        self._command = message_factory.GetMessageClass(pool.FindMessageTypeByName("flyscreen.v1.Command"))

    def event(self, event):
        """The bytes of an event given as its JSON form."""
        return json_format.ParseDict(event, self._event()).SerializeToString()

    def json_form(self, data):
        """The JSON form of an event's bytes."""
        return json_format.MessageToDict(self._event.FromString(data))

    def command(self, data):
        return self._command.FromString(data)

    def command_of_json(self, line):
        return json_format.Parse(line, self._command())
