/// The part of the worker that decides, and knows no IO.
@_exported public import WorkerCore
