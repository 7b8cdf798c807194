package permission

// network says why a command reaches the network; "": it is not known to. What
// is not in the table may reach it as well: it is Execute.
func network(name string, args []arg) string {
	switch name {
	case "curl", "wget", "ssh", "scp", "sftp", "rsync", "nc", "ncat", "netcat", "telnet", "ftp", "tftp", "ping", "ping6", "dig", "nslookup", "host", "whois", "traceroute",
		"http", "https", "xh", "aria2c", "mosh", "socat", "rclone", "gh", "glab", "aws", "gcloud", "gsutil", "az", "heroku", "flyctl", "kubectl", "helm", "doctl", "npx", "pnpx", "bunx", "uvx",
		"pipx", "brew", "apt", "apt-get", "dnf", "yum", "apk", "pacman", "zypper", "snap", "flatpak", "w3m", "lynx", "links", "sendmail", "mail", "lftp", "s3cmd", "twine", "hf", "ollama",
		"xdg-open", "open":
		return name + " reaches the network"
	}
	known := map[string][]string{
		"git": {"push", "pull", "fetch", "clone", "ls-remote", "remote", "submodule", "archive", "send-email", "svn", "lfs", "fetch-pack", "send-pack", "request-pull", "imap-send"},
		// All of go may fetch the toolchain or the modules that go.mod names; these do nothing else of note.
		"go":        {"get", "install", "mod", "work", "list", "version", "env", "doc"},
		"npm":       {"install", "i", "ci", "add", "update", "publish", "audit", "exec", "x", "login", "view", "outdated", "uninstall", "init", "create", "search", "info"},
		"pnpm":      {"install", "i", "add", "update", "publish", "dlx", "audit", "create"},
		"yarn":      {"", "install", "add", "upgrade", "publish", "dlx", "audit", "create"},
		"bun":       {"install", "add", "update", "publish", "x", "create"},
		"deno":      {"install", "add", "cache", "publish"},
		"pip":       {"install", "download", "index", "search", "wheel"},
		"pip3":      {"install", "download", "index", "search", "wheel"},
		"uv":        {"pip", "add", "sync", "lock", "tool", "publish"},
		"poetry":    {"install", "add", "update", "lock", "publish"},
		"cargo":     {"fetch", "install", "add", "update", "publish", "search", "login"},
		"gem":       {"install", "update", "push", "fetch"},
		"bundle":    {"install", "update", "add"},
		"composer":  {"install", "update", "require"},
		"docker":    {"pull", "push", "login", "search", "build", "buildx", "compose", "run"},
		"podman":    {"pull", "push", "login", "search", "build", "run"},
		"openssl":   {"s_client", "ocsp"},
		"terraform": {"init", "apply", "plan", "destroy"},
		"dotnet":    {"restore", "add", "nuget"},
	}
	subcommands, ok := known[name]
	if !ok {
		return ""
	}
	sub := ""
	if rest := afterFlags(name, texts(args)); len(rest) > 0 {
		sub = rest[0]
	}
	if contains(subcommands, sub) {
		return name + " " + shown(sub) + " reaches the network"
	}
	return ""
}

func texts(args []arg) []string {
	words, _ := leading(args)
	return words
}
