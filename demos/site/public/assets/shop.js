document.querySelectorAll('.buy').forEach(b => b.addEventListener('click', () => b.textContent = 'In the basket'));
