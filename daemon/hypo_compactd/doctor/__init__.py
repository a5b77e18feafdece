"""What would hinder the daemon, and the command that puts it right.

`gather` looks at this machine and the projects, `facts` is what it finds; each check is a pure function of that in the
module of its topic, and `checks` names them all.
"""
