-- :SvcSearch <name> fills the quickfix list. Needs Neovim 0.10, whose `vim.lsp.rpc.connect` takes a socket's path.
vim.fn.system({ 'svc', 'daemon', 'start' })
local daemon = vim.json.decode(vim.fn.system({ 'svc', 'daemon', 'env', '--json' }))
local svc = vim.lsp.rpc.connect(daemon.SVC_SOCKET)({
  notification = function() end,
  server_request = function() return nil, vim.lsp.rpc.rpc_response_error(-32601) end,
  on_error = function(code, message) vim.notify(('svc: %s %s'):format(code, message), vim.log.levels.ERROR) end,
  on_exit = function() vim.notify('svc: the daemon has gone') end,
})

vim.api.nvim_create_user_command('SvcSearch', function(command)
  local root = vim.fs.root(0, '.git') or vim.uv.cwd()
  svc.request('symbols.search', { q = command.args, repo = root, sync = true }, function(fault, answer)
    if fault then return vim.notify('svc: ' .. fault.message, vim.log.levels.ERROR) end
    local items = vim.tbl_map(function(symbol)
      local at = symbol.location
      return { filename = root .. '/' .. at.file, lnum = at.line, col = at.column, text = symbol.signature }
    end, answer.results)
    vim.fn.setqflist({}, ' ', { title = 'svc ' .. command.args, items = items })
    vim.cmd.copen()
  end)
end, { nargs = 1 })
